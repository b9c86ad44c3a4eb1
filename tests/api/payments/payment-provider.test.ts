import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { startPaymentProvider } from '#sandbox/payment-provider.ts'
import { REQUEST_LOCK } from '#sandbox/stripe/engine/schema.ts'
import { freshDatabase } from '#tests/support/processes/postgres.ts'

test('a web process and a worker that start together each get a port for the sandbox’s provider', async (t) => {
  const database = await freshDatabase()
  const owner = new pg.Client({ connectionString: database.url })
  await owner.connect()
  // a port whose neighbour, nine thousand further, is most likely nobody's
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const port = ((probe.address() as AddressInfo).port % 20_000) + 1_024
  probe.close()

  // the second begins before the first listens
  await owner.query('select pg_advisory_lock($1)', [REQUEST_LOCK])
  const starting = []
  for (const count of [1, 2]) {
    starting.push(
      startPaymentProvider({ databaseUrl: database.url, connections: 3, host: '127.0.0.1', port, publicUrl: `http://localhost:${port}` }),
    )
    const waiting = () =>
      owner.query(
        `select from pg_locks l join pg_database d on d.oid = l.database
         where l.locktype = 'advisory' and not l.granted and d.datname = current_database()`,
      )
    while ((await waiting()).rowCount !== count) await pause(5)
  }
  await owner.query('select pg_advisory_unlock($1)', [REQUEST_LOCK])
  const both = await Promise.all(starting)
  t.after(async () => {
    for (const { sandbox } of both) await sandbox.stop()
    await owner.end()
    await database.drop()
  })
  assert.equal(new Set(both.map(({ speakTo }) => speakTo)).size, 2)
  for (const { speakTo } of both) assert.equal((await fetch(`${speakTo}/sandbox/faults`)).status, 200)
})
