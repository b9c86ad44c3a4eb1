import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { commandTrail } from '#server/db/audit.ts'
import { openDatabase, type Db } from '#server/db/db.ts'
import { actAsAdmin } from '#server/features/account/admin.ts'
import { entriesOf } from '#tests/support/audit.ts'
import { signUp } from '#tests/support/people.ts'
import { closeSound, openYard, type Yard } from '#tests/support/yard.ts'

let yard: Yard
let db: Db
before(async () => {
  yard = await openYard()
  db = openDatabase(yard.databaseUrl, 2)
})
after(async () => {
  await db.destroy()
  await closeSound(yard)
})

test('a command gives and takes the roles, each in force at the next request and written down', async () => {
  const { client, id, email } = await signUp(yard)
  const run = (act: string) => actAsAdmin(db, { act, email, reason: 'new post', audit: commandTrail('command line: test') })
  const reads = async () => (await client.get('/api/v1/admin/coupons')).status
  const acts = async () => (await client.delete('/api/v1/admin/coupons/NONE')).status
  const roleOf = async () => {
    const { role, is_admin } = (await client.get('/api/v1/auth/me/lite')).body.data
    return [role, is_admin]
  }
  assert.deepEqual([await reads(), await acts(), await roleOf()], [404, 404, [null, false]])
  const [entry] = await entriesOf(yard, () => run('make-support'))
  assert.deepEqual(
    [entry?.actor, entry?.actor_role, entry?.act, entry?.subject_user_id, entry?.reason],
    ['command line: test', 'command', 'make-support', id, 'new post'],
  )
  assert.deepEqual([await reads(), await acts(), await roleOf()], [200, 403, ['support', false]])
  await run('make-admin')
  assert.deepEqual([await reads(), await acts(), await roleOf()], [200, 404, ['admin', true]])
  await run('end-role')
  assert.equal(await reads(), 401)
})

test('the database knows no other role', async () => {
  await assert.rejects(yard.owner.query(`update users set role = 'owner'`), /users_role_check/)
})
