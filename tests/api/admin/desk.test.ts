import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { DeskItem, DeskKind } from '#contract/admin/desk.ts'
import { insert, newListing } from '#tests/support/auctions/auction.ts'
import { act, newMember, type Merchant } from '#tests/support/auctions/sale.ts'
import { soldTo } from '#tests/support/auctions/sold.ts'
import { file, licence, put } from '#tests/support/files/documents.ts'
import { signUp } from '#tests/support/people.ts'
import { openYard, type Yard } from '#tests/support/yard.ts'

let yard: Yard
let admin: Merchant
let support: Merchant
let member: Merchant
before(async () => {
  yard = await openYard()
  admin = await newMember(yard, { role: 'admin' })
  support = await newMember(yard, { role: 'support' })
  member = await newMember(yard, { company_name: 'Ash Metals' })
})
// not looked at with closeSound: refunds and payouts are rows here, without the money behind them
after(() => yard.close())

type Desk = { kind: DeskKind; count: number; oldest: DeskItem[] }[]

async function queue(kind: DeskKind): Promise<Desk[number]> {
  const { status, body } = await support.client.get('/api/v1/admin/desk')
  assert.equal(status, 200, JSON.stringify(body))
  const desk = body.data as Desk
  assert.equal(
    body.meta.count,
    desk.reduce((sum, { count }) => sum + count, 0),
  )
  const found = desk.find((one) => one.kind === kind)
  assert.ok(found)
  return found
}

type Waiting = { id: string; title: RegExp; reason: RegExp | null; link: string }

const idOf = async (sql: string, values: unknown[] = []) => String((await yard.owner.query(sql, values)).rows[0].id)

const makes: Record<DeskKind, () => Promise<Waiting>> = {
  async issue() {
    const id = await newListing(yard.owner, member.id)
    await act(admin.client, id, 'raise_issue', { reason: 'Stolen?' })
    return { id, title: /copper/, reason: /Stolen\?/, link: `/admin/listings/${id}` }
  },
  async document() {
    const { client } = await signUp(yard)
    const { id } = (await put(client, licence(await file(client)))).body.data[0]
    return { id, title: /Smith Metals/, reason: /scrap_dealer_licence/, link: `/admin/documents/${id}` }
  },
  async collector() {
    const { id } = await newMember(yard, { opened_at: null, business_activity: 'waste_collector', company_name: 'Cart Ltd' })
    return { id, title: /Cart Ltd/, reason: /waste_collector/, link: `/admin/users/${id}` }
  },
  async report() {
    const id = await idOf(`insert into reports (reporter_id, about_type, about_id, reason) values ($1, 'user', $2, 'Rude') returning id`, [
      member.id,
      support.id,
    ])
    return { id, title: /user reported by Ash Metals/, reason: /Rude/, link: `/admin/reports/${id}` }
  },
  async set_aside() {
    const id = await newListing(yard.owner, member.id)
    const other = await newListing(yard.owner, member.id)
    await yard.owner.query(
      `insert into set_aside_listings (listing_id, attempts, next_try_at, last_error)
       values ($1, 3, app_now() + interval '1 day', 'broken'), ($2, 2, app_now() + interval '1 day', 'broken')`,
      [id, other],
    )
    return { id, title: /copper/, reason: /broken/, link: `/admin/listings/${id}` }
  },
  async failed_job() {
    const id = await idOf(
      `insert into jobs (kind, payload, failed_at, last_error) values ('send_refund', '{}', app_now(), 'no answer') returning id`,
    )
    return { id, title: /send_refund/, reason: /no answer/, link: `/admin/jobs/${id}` }
  },
  async unallocated() {
    await yard.owner.query(
      `with moved as (
         insert into ledger_transactions (kind, source, memo, occurred_at) values ('test', 'test:1', 'Too late', app_now()) returning id
       )
       insert into ledger_entries (transaction_id, line, account, amount, user_id)
       select id, 1, 'provider_cash', 12000, $1::uuid from moved union all select id, 2, 'unallocated', -12000, $1::uuid from moved`,
      [member.id],
    )
    return { id: member.id, title: /£120\.00, Ash Metals/, reason: null, link: `/admin/money/unallocated/${member.id}` }
  },
  async refund() {
    const id = await idOf(
      `insert into refunds (user_id, amount, reason, status, failure_reason) values ($1, 5000, 'test', 'failed', 'account closed') returning id`,
      [member.id],
    )
    return { id, title: /£50\.00, Ash Metals/, reason: /account closed/, link: `/admin/money/refunds/${id}` }
  },
  async payout() {
    const { awardId } = await soldTo(yard.owner, { seller: member.id, buyer: support.id })
    const payout = { award_id: awardId, seller_id: member.id, purpose: 'goods', amount: 70_00, status: 'waiting' }
    const id = await idOf(
      `insert into seller_payouts (award_id, seller_id, charge_id, purpose, amount, status, created_at)
       values ($1, $2, 'ch_old', 'goods', 7000, 'waiting', app_now() - interval '15 days') returning id`,
      [awardId, member.id],
    )
    await insert(yard.owner, 'seller_payouts', { ...payout, charge_id: 'ch_new' })
    return { id, title: /£70\.00, Ash Metals/, reason: /waiting/, link: `/admin/money/payouts/${id}` }
  },
}

for (const [kind, make] of Object.entries(makes) as [DeskKind, () => Promise<Waiting>][]) {
  test(`the desk shows what waits: ${kind}`, async () => {
    assert.deepEqual(await queue(kind), { kind, count: 0, oldest: [] })
    const { id, title, reason, link } = await make()
    const { count, oldest } = await queue(kind)
    const [item] = oldest
    assert.ok(item)
    assert.deepEqual([count, oldest.length, item.kind, item.id, item.link], [1, 1, kind, id, link])
    assert.match(item.title, title)
    if (reason) assert.match(item.reason ?? '', reason)
    assert.ok(!Number.isNaN(Date.parse(item.since)))
  })
}

test('the five that wait the longest come first, and all are counted', async () => {
  const before = await queue('collector')
  const ids: string[] = []
  for (let days = 9; days > 3; days--) {
    const created_at = new Date(Date.now() - days * 86_400_000)
    ids.push((await newMember(yard, { opened_at: null, created_at })).id)
  }
  const { count, oldest } = await queue('collector')
  assert.equal(count, before.count + 6)
  assert.deepEqual(
    oldest.map(({ id }) => id),
    ids.slice(0, 5),
  )
})
