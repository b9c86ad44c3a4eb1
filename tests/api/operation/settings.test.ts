import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { settings, type SettingKey } from '#contract/settings.ts'
import { runCommand } from '#scripts/run-command.ts'
import { commandTrail } from '#server/db/audit.ts'
import { openDatabase, type Db } from '#server/db/db.ts'
import { listSettings, resetSetting, settingsReader, writeSetting } from '#server/features/settings/settings.ts'
import { png } from '#tests/support/files/made-files.ts'
import { left, newMember, see } from '#tests/support/auctions/sale.ts'
import { upload } from '#tests/support/files/stores.ts'
import { openYard, type Yard } from '#tests/support/yard.ts'

let yard: Yard
let db: Db
before(async () => {
  yard = await openYard()
  db = openDatabase(yard.databaseUrl, 5)
})
after(async () => {
  await db.destroy()
  await yard.close()
})

const actor = 'admin@yardbid.test'
const audit = commandTrail(actor)
const read = settingsReader(new Map())
const listed = async (key: SettingKey, overrides?: Map<SettingKey, unknown>) =>
  (await listSettings(db, overrides)).find((setting) => setting.key === key)
const entries = async (key: string) =>
  (await yard.owner.query(`select actor, act, details from audit_entries where details ->> 'key' = $1 order by id`, [key])).rows

test('without a row every setting has its default', async () => {
  const all = await listSettings(db)
  assert.deepEqual(
    all.map(({ key }) => key),
    Object.keys(settings),
  )
  for (const setting of all) assert.deepEqual(setting, { ...setting, value: setting.default, from: 'default', problem: null })
})

test('a setting that is written is in force at once, and who wrote it is on record', async () => {
  await writeSetting(db, { key: 'payment_window', value: '5s', audit })
  await writeSetting(db, { key: 'payment_window', value: '2bd', audit: commandTrail('another admin') })
  assert.equal(await read(db, 'payment_window'), '2bd')
  assert.deepEqual(await listed('payment_window'), { key: 'payment_window', value: '2bd', default: '3bd', from: 'row', problem: null })
  assert.deepEqual(await entries('payment_window'), [
    { actor, act: 'set-setting', details: { key: 'payment_window', before: '3bd', after: '5s' } },
    { actor: 'another admin', act: 'set-setting', details: { key: 'payment_window', before: '5s', after: '2bd' } },
  ])
})

test('the server that is running reads it too', async () => {
  await writeSetting(db, { key: 'subscription_price', value: 9_900, audit })
  assert.equal((await yard.client().get('/api/v1/config')).body.data.subscription_price.value, 9_900)
})

test('a setting goes back to its default', async () => {
  await writeSetting(db, { key: 'vat_rate', value: 17.5, audit })
  await resetSetting(db, { key: 'vat_rate', audit })
  assert.equal((await listed('vat_rate'))?.from, 'default')
  assert.equal(await read(db, 'vat_rate'), 20)
  assert.deepEqual((await entries('vat_rate')).at(-1), {
    actor,
    act: 'reset-setting',
    details: { key: 'vat_rate', before: 17.5, after: 20 },
  })
})

const values: [SettingKey, unknown][] = [
  ['trial_available_until', null],
  ['trial_available_until', '2027-01-01T00:00:00Z'],
  ['amend_tolerance', 0.5],
  ['ending_soon', ['2h', '30m', '5m']],
  ['listing_durations', [1, 2]],
  ['bid_steps_lot', [{ below: null, step: 500 }]],
]

for (const [key, value] of values) {
  test(`${key} keeps ${JSON.stringify(value)} as it is`, async () => {
    await writeSetting(db, { key, value, audit })
    assert.deepEqual(await read(db, key), value)
  })
}

const refusals: [key: string, value: unknown, message: RegExp][] = [
  ['payment_window', 'soon', /payment_window: a duration such as 5s, 30m, 24h, 14d or 3bd/],
  ['holding_fee_min', -1, /holding_fee_min: /],
  ['no_such', 1, /There is no setting 'no_such'/],
  ['toString', 1, /There is no setting 'toString'/],
]

for (const [key, value, message] of refusals) {
  test(`${key} = ${JSON.stringify(value)} is refused and leaves no trace`, async () => {
    const trace = () =>
      yard.owner.query('select (select count(*) from audit_entries) as acts, (select jsonb_agg(s) from settings s) as rows')
    const before = (await trace()).rows
    await assert.rejects(writeSetting(db, { key, value, audit }), { status: 422, message })
    assert.deepEqual((await trace()).rows, before)
  })
}

test('of changes at once each notes the value that the one before left', async () => {
  const prices = Array.from({ length: 20 }, (_, at) => 1_000 + at)
  await Promise.all(prices.map((value) => writeSetting(db, { key: 'holding_fee_max', value, audit })))
  const acts = (await entries('holding_fee_max')).map(({ details }) => details)
  assert.equal(acts.length, prices.length)
  assert.deepEqual(
    acts.map(({ before }) => before),
    [50_000, ...acts.slice(0, -1).map(({ after }) => after)],
  )
  assert.equal(await read(db, 'holding_fee_max'), acts.at(-1).after)
})

test('the list shows what SETTINGS overrides, and a row that cannot be read with its fault', async () => {
  const overrides = new Map<SettingKey, unknown>([['offer_window', '5s']])
  assert.deepEqual([(await listed('offer_window', overrides))?.value, (await listed('offer_window', overrides))?.from], ['5s', 'SETTINGS'])
  await yard.owner.query(`insert into settings (key, value) values ('chat_rate', '"many"')`)
  const wrong = await listed('chat_rate')
  assert.deepEqual([wrong?.value, wrong?.from], ['many', 'row'])
  assert.ok(wrong?.problem)
  await writeSetting(db, { key: 'chat_rate', value: 60, audit })
  assert.equal((await listed('chat_rate'))?.problem, null)
})

const command = (...args: string[]) =>
  runCommand(process.execPath, ['scripts/settings.ts', ...args], { DATABASE_URL: yard.databaseUrl, SANDBOX: '1', SETTINGS: '' })

test('npm run settings lists every setting', async () => {
  const { code, output } = await command()
  assert.equal(code, 0, output)
  assert.match(output, /^kyc_window +default +3bd$/m)
  assert.equal(output.trim().split('\n').length, Object.keys(settings).length)
})

const commands: [args: string[], code: number, says: RegExp][] = [
  [['kyc_window', '5s'], 0, /^kyc_window +row +5s +\(default 3bd\)$/m],
  [['kyc_window'], 0, /^kyc_window +row +5s/m],
  [['licence_warnings', '["90d","7d"]'], 0, /^licence_warnings +row +\["90d","7d"\] +\(default \["60d","30d","7d"\]\)$/m],
  [['seller_fee', '1.5'], 0, /^seller_fee +row +1\.5 +\(default 0\)$/m],
  [['kyc_window', '--default'], 0, /^kyc_window +default +3bd$/m],
  [['kyc_window', 'soon'], 1, /kyc_window: a duration such as/],
  [['no_such'], 1, /There is no setting 'no_such'/],
  [['no_such', '1'], 1, /There is no setting 'no_such'/],
]

for (const [args, code, says] of commands) {
  test(`npm run settings -- ${args.join(' ')}`, async () => {
    const ended = await command(...args)
    assert.equal(ended.code, code, ended.output)
    assert.match(ended.output, says)
  })
}

test('what the command changes is on record under the name of who ran it', async () => {
  const [first] = await entries('seller_fee')
  assert.match(first.actor, /^command line: /)
})

test('a setting is read although every other connection waits, and within a transaction by its own', async () => {
  const own = openDatabase(yard.databaseUrl, 1)
  const busy = openDatabase(yard.databaseUrl, 1)
  const readByOwn = settingsReader(new Map(), own)
  try {
    await busy.transaction().execute(async (tx) => {
      assert.equal(await readByOwn(busy, 'vat_rate'), 20)
      await sql`insert into settings (key, value) values ('vat_rate', '5')`.execute(tx)
      assert.deepEqual([await readByOwn(tx, 'vat_rate'), await readByOwn(busy, 'vat_rate')], [5, 20])
      await sql`delete from settings where key = 'vat_rate'`.execute(tx)
    })
  } finally {
    await Promise.all([own.destroy(), busy.destroy()])
  }
})

test('a listing runs for as many days as the setting offers, also for more than a fortnight', async () => {
  const { client } = await newMember(yard)
  const { id } = await upload(client, { bytes: await png(), mime_type: 'image/png', filename: 'load.png' })
  const form = {
    title: 'Bright copper wire',
    description: 'Clean',
    material_id: 'copper_bright',
    price_basis: 'lot',
    start_price: 100_00,
    duration_days: 21,
    transfer_method_id: 1,
    use_default_address: true,
    media: [id],
  }
  await writeSetting(db, { key: 'listing_durations', value: [7, 21], audit })
  const { status, body } = await client.post('/api/v1/listings', form)
  assert.equal(status, 201, JSON.stringify(body))
  await left(yard, body.data.id, 'Processing')
  const { starts_at, expires_at } = await see(client, body.data.id)
  assert.equal(Date.parse(expires_at) - Date.parse(starts_at), 21 * 24 * 3_600_000)
})
