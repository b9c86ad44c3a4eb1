import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { findViolations } from '#database/check.ts'
import { inTransaction, openPool } from '#server/db/db.ts'
import { completeRecords, writeRecords } from '#server/features/papers/public.ts'
import { insert } from '#tests/support/auctions/auction.ts'
import { newMember, openSaleYard, setUser } from '#tests/support/auctions/sale.ts'
import { soldTo } from '#tests/support/auctions/sold.ts'
import type { Client } from '#tests/support/client.ts'
import { fetchBytes } from '#tests/support/files/stores.ts'
import { textOfPdf } from '#tests/support/payments/pdf-text.ts'

const yard = await openSaleYard()
const pool = openPool(yard.databaseUrl, 4, { connectionTimeoutMillis: 0 })
after(async () => {
  try {
    assert.deepEqual(
      (await findViolations(yard.owner)).filter(({ rule }) => rule.startsWith('36')),
      [],
    )
  } finally {
    await pool.end()
    await yard.close()
  }
})

type Changes = { listing?: Record<string, unknown>; award?: Record<string, unknown> }

async function exchanged(seller: string, buyer: string, at: Date, { listing = {}, award = {} }: Changes = {}) {
  const sale = await soldTo(yard.owner, { seller, buyer, listing, award })
  await insert(yard.owner, 'exchanges', { award_id: sale.awardId, vehicle: 'AB12 CDE', seller_weight_kg: 12_380, received_at: at })
  await inTransaction(pool, (client) => writeRecords(client, sale.awardId, 'receipt', at))
  return sale
}
const complete = (awardId: string) => inTransaction(pool, (client) => completeRecords(client, awardId))
const recordsOf = async (client: Client, query = '') => {
  const { status, body } = await client.get(`/api/v1/records${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}
const noon = new Date('2026-06-01T12:00:00Z')

test('a handover writes the buyer’s receipt and the seller’s disposal with weight, vehicle, names and addresses, once', async () => {
  const seller = await newMember(yard, { company_name: 'Smith Metals Ltd', first_name: 'Jo', surname: 'Smith' })
  const buyer = await newMember(yard, { company_name: 'Northern Recyclers Ltd' })
  const { awardId } = await exchanged(seller.id, buyer.id, noon, { listing: { serial_numbers: 'SN 77', condition: 'Baled' } })
  await inTransaction(pool, (client) => writeRecords(client, awardId, 'receipt', new Date()))
  const { data } = await recordsOf(buyer.client)
  assert.equal(data.length, 1)
  const [receipt] = data
  assert.deepEqual(
    [receipt.kind, receipt.cause, receipt.at, receipt.weight_kg, receipt.weight_from, receipt.vehicle, receipt.marks, receipt.kept_until],
    ['receipt', 'sale', noon.toISOString(), 12_380, 'seller', 'AB12 CDE', 'SN 77', '2029-06-01'],
  )
  assert.deepEqual(receipt.counterparty, {
    company_name: 'Smith Metals Ltd',
    contact_name: 'Jo Smith',
    address: ['12 Foundry Lane', 'Manchester', 'England', 'M1 4BT'],
  })
  const { data: sellers } = await recordsOf(seller.client)
  assert.deepEqual([sellers.length, sellers[0].kind, sellers[0].counterparty.company_name], [1, 'disposal', 'Northern Recyclers Ltd'])
})

test('weight, price and payment are completed until the exchange ends, and are final then; other columns never change', async () => {
  const seller = await newMember(yard)
  const buyer = await newMember(yard, { company_name: 'Payer Ltd', first_name: 'Ann', surname: 'Day' })
  const { awardId } = await exchanged(seller.id, buyer.id, noon, { award: { paid_at: noon } })
  await insert(yard.owner, 'sale_payments', {
    award_id: awardId,
    purpose: 'goods',
    method: 'bank_transfer',
    amount: 500,
    received: 500,
    status: 'succeeded',
    charge_id: 'py_1',
  })
  await yard.owner.query('update exchanges set buyer_weight_kg = 12010 where award_id = $1', [awardId])
  await complete(awardId)
  const [record] = (await recordsOf(buyer.client)).data
  assert.deepEqual(
    [record.weight_kg, record.weight_from, record.paid_by, record.paid_how, record.payment_reference, record.completed_at === null],
    [12_010, 'buyer', 'Ann Day for Payer Ltd', 'Bank transfer, through Stripe', 'py_1', false],
  )
  await yard.owner.query('update exchanges set buyer_weight_kg = 1 where award_id = $1', [awardId])
  await complete(awardId)
  assert.equal((await recordsOf(buyer.client)).data[0].weight_kg, 12_010)
  await assert.rejects(yard.owner.query('update scrap_records set weight_kg = 1 where award_id = $1', [awardId]), /is final/)
  await assert.rejects(pool.query(`update scrap_records set title = 'x'`), /permission denied/)
  await assert.rejects(pool.query('delete from scrap_records'), /permission denied/)
})

test('a deferred sale’s record stays open until it is paid', async () => {
  const seller = await newMember(yard)
  const buyer = await newMember(yard)
  const { awardId } = await exchanged(seller.id, buyer.id, noon, { award: { deferred_days: 30 } })
  await complete(awardId)
  const [open] = (await recordsOf(buyer.client)).data
  assert.deepEqual([open.completed_at, /Deferred terms/.test(open.paid_how)], [null, true])
  await yard.owner.query('update awards set paid_at = app_now() where id = $1', [awardId])
  await complete(awardId)
  assert.notEqual((await recordsOf(buyer.client)).data[0].completed_at, null)
})

test('a return writes a second pair the other way round; goods that are not scrap have no records', async () => {
  const seller = await newMember(yard)
  const buyer = await newMember(yard)
  const { awardId } = await exchanged(seller.id, buyer.id, noon)
  await inTransaction(pool, (client) => writeRecords(client, awardId, 'return', new Date('2026-06-05T12:00:00Z')))
  for (const { completed_at } of (await recordsOf(buyer.client)).data) assert.notEqual(completed_at, null)
  await exchanged(seller.id, buyer.id, noon, { listing: { material_id: 'goods_tools', price_basis: 'lot' } })
  const pairs = async (client: Client) =>
    (await recordsOf(client)).data.map(({ kind, cause }: Record<string, string>) => `${cause} ${kind}`)
  assert.deepEqual(await pairs(buyer.client), ['return disposal', 'sale receipt'])
  assert.deepEqual(await pairs(seller.client), ['return receipt', 'sale disposal'])
})

test('records hold their own copy of names: they outlive what an account says', async () => {
  const seller = await newMember(yard, { company_name: 'Old Name Ltd' })
  const buyer = await newMember(yard)
  await exchanged(seller.id, buyer.id, noon)
  await setUser(yard, seller.id, { company_name: 'Erased' })
  await yard.owner.query('delete from addresses where user_id = $1', [seller.id])
  const [record] = (await recordsOf(buyer.client)).data
  assert.deepEqual([record.counterparty.company_name, record.counterparty.address.length], ['Old Name Ltd', 4])
})

test('filters leave the records of some days, of a kind, of a material, of a name; pages show each once, newest first', async () => {
  const me = await newMember(yard)
  const smith = await newMember(yard, { company_name: 'SMITH & Sons' })
  const other = await newMember(yard, { company_name: '100% Metals' })
  const day = (nth: number) => new Date(`2026-03-${String(nth).padStart(2, '0')}T23:30:00Z`)
  for (let nth = 1; nth <= 3; nth++) await exchanged(smith.id, me.id, day(nth))
  await exchanged(me.id, other.id, day(28), { listing: { material_id: 'lead' } })
  await exchanged(me.id, other.id, day(29), { listing: { material_id: 'lead' } })
  const count = async (query: string) => (await recordsOf(me.client, query)).data.length
  // the clocks go forward on the 29th: half past eleven in the evening is the 30th in London
  assert.deepEqual(
    [
      await count(''),
      await count('?filter[from]=2026-03-02&filter[to]=2026-03-28'),
      await count('?filter[from]=2026-03-30'),
      await count('?filter[kind]=disposal'),
      await count('?filter[material_id]=lead&filter[kind]=receipt'),
      await count('?filter[counterparty]=smith'),
      await count('?filter[counterparty]=%25'),
      await count('?filter[counterparty]='),
    ],
    [5, 3, 1, 2, 0, 3, 2, 5],
  )
  const seen: string[] = []
  for (let cursor = ''; ;) {
    const { data, meta } = await recordsOf(me.client, `?per_page=2${cursor && `&cursor=${cursor}`}`)
    seen.push(...data.map(({ at }: { at: string }) => at))
    if (!meta.next_cursor) break
    cursor = meta.next_cursor
  }
  assert.deepEqual(
    seen,
    [day(29), day(28), day(3), day(2), day(1)].map((at) => at.toISOString()),
  )
  for (const query of ['cursor=x', 'cursor=e30', 'filter[from]=yesterday', 'filter[kind]=x', 'filter[material_id]=gold'])
    assert.equal((await me.client.get(`/api/v1/records?${query}`)).status, 422, query)
})

test('records are their keeper’s alone: as a list, as CSV, as PDF', async () => {
  const seller = await newMember(yard, { company_name: '=SUM(A1)' })
  const buyer = await newMember(yard)
  const stranger = await newMember(yard)
  const admin = await newMember(yard, { role: 'admin' })
  await exchanged(seller.id, buyer.id, noon)
  const [{ url }] = (await recordsOf(buyer.client)).data
  const codes = await Promise.all([buyer, seller, stranger, admin].map(async ({ client }) => (await client.get(url)).status))
  assert.deepEqual(codes, [200, 404, 404, 200])
  for (const path of [url, '/api/v1/records', '/api/v1/records.csv']) assert.equal((await yard.client().get(path)).status, 401, path)
  assert.equal((await recordsOf(stranger.client)).data.length, 0)

  const text = textOfPdf((await fetchBytes(yard, url, buyer.client)).bytes)
  for (const words of ['Record of receipt', 'Received from', '=SUM(A1)', 'AB12 CDE', 'No cash was paid or taken.', '1 June 2026 at 13:00'])
    assert.ok(text.split('\n').includes(words), `${words} is not in:\n${text}`)

  const csv = await buyer.client.get('/api/v1/records.csv')
  assert.match(csv.headers.get('content-type') ?? '', /^text\/csv/)
  assert.match(csv.headers.get('content-disposition') ?? '', /^attachment; filename="yardbid-records-/)
  const lines = String(csv.body).trimEnd().split('\r\n')
  assert.equal(lines.length, 2)
  assert.match(lines[0] ?? '', /^"record_id",.*"ewc_code".*"carrier_registration"/)
  assert.match(lines[1] ?? '', /"'=SUM\(A1\)"/)
  assert.equal(
    String((await stranger.client.get('/api/v1/records.csv')).body)
      .trimEnd()
      .split('\r\n').length,
    1,
  )
  assert.equal((await buyer.client.get('/api/v1/records.csv?filter[kind]=x')).status, 422)
})

test('a CSV of more records than are read at once has each of them once', async () => {
  const seller = await newMember(yard)
  const buyer = await newMember(yard)
  const { awardId } = await exchanged(seller.id, buyer.id, noon)
  await yard.owner.query('alter table scrap_records drop constraint scrap_records_award_id_cause_kind_key')
  await yard.owner.query(
    `insert into scrap_records
     select (jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid()))).* from scrap_records r, generate_series(1, 1200) where award_id = $1 and kind = 'receipt'`,
    [awardId],
  )
  const lines = String((await buyer.client.get('/api/v1/records.csv')).body)
    .trimEnd()
    .split('\r\n')
  const ids = lines.slice(1).map((line) => line.split(',')[0])
  assert.deepEqual([ids.length, new Set(ids).size], [1_201, 1_201])
  await yard.owner.query(`delete from scrap_records where award_id = $1`, [awardId])
})
