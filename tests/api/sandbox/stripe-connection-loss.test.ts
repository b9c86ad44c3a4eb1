import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { inTransaction, openSandboxPool } from '#sandbox/stripe/engine/database.ts'
import { REQUEST_LOCK } from '#sandbox/stripe/engine/schema.ts'
import { connectTo, freshDatabase } from '#tests/support/processes/postgres.ts'
import { openStripeSandbox } from '#tests/support/payments/stripe.ts'

// A lost connection without an 'error' listener ends the process: here that is an uncaught exception, which fails the test.

const database = await freshDatabase()
const owner = await connectTo(database.url, { application_name: 'owner' })
const reported: unknown[] = []
const sandbox = await openStripeSandbox(database.url, { report: (error) => reported.push(error) })
after(async () => {
  await sandbox.stop()
  await owner.end()
  await database.drop()
})

test('a request whose connection is cut while a statement runs is answered with 500, and the next one works', async () => {
  await owner.query('select pg_advisory_lock($1)', [REQUEST_LOCK])
  let isAnswered = false
  const call = sandbox.call('POST', '/sandbox/faults', {}).finally(() => (isAnswered = true))
  // the sandbox's own clock may wait for the lock as well: whatever waits is cut until the request's own connection was
  const cutting = async () => {
    while (!isAnswered) {
      await owner.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and state = 'active' and wait_event_type = 'Lock'`)
      await pause(5)
    }
  }
  const [{ status }] = await Promise.all([call, cutting()])
  await owner.query('select pg_advisory_unlock($1)', [REQUEST_LOCK])
  assert.equal(status, 500)
  assert.ok(reported.length > 0)
  assert.deepEqual((await sandbox.stripe.customers.list()).data, [])
})

test('a connection that is cut while idle inside a transaction fails the next statement, and the pool replaces it', async (t) => {
  const pool = openSandboxPool(database.url)
  t.after(() => pool.end())
  const cut = inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    // not `once` of node:events: that rejects at the error which comes first, perhaps before anybody waits for it
    const ended = new Promise<void>((resolve) => client.once('end', resolve))
    await owner.query('select pg_terminate_backend($1)', [rows[0]?.pid])
    await ended
    return client.query('select 1')
  })
  await assert.rejects(cut)
  assert.equal(pool.totalCount, 0)
  assert.deepEqual((await inTransaction(pool, (client) => client.query('select 1 as one'))).rows, [{ one: 1 }])
})

test('a sandbox whose every connection is cut goes on answering', async () => {
  for (let round = 0; round < 3; round++) {
    const calls = Array.from({ length: 8 }, (_, n) => sandbox.call('GET', `/sandbox/faults?n=${n}`))
    const cut = owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name <> 'owner'`,
    )
    await Promise.all([cut, Promise.allSettled(calls)])
  }
  await sandbox.settled()
  assert.equal((await sandbox.call('DELETE', '/sandbox/faults')).status, 200)
})
