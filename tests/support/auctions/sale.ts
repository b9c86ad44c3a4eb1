import assert from 'node:assert/strict'
import { after, afterEach } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { hashToken, newToken } from '#server/http/session.ts'
import { insert, newListing, newMerchant } from '#tests/support/auctions/auction.ts'
import type { Answer, Client } from '#tests/support/client.ts'
import { signUpForm } from '#tests/support/people.ts'
import { closeSound, openYard, type Yard } from '#tests/support/yard.ts'

// A yard with people who may sell and buy, and what the tests of a listing's life do in it.

export type Merchant = { client: Client; id: string; email: string }

/** Plain durations: a test must not depend on the weekday it runs on. */
const windows = {
  reservation_offer_window: '2h',
  offer_window: '24h',
  kyc_window: '3h',
  vat_window: '3h',
  invoice_window: '3h',
  missed_payment_window: '4h',
  processing_window: '30m',
}

export const openSaleYard = (settings: Record<string, unknown> = {}): Promise<Yard> =>
  openYard({ env: { SETTINGS: JSON.stringify({ ...windows, ...settings }) } })

/** A yard with these people, the clock put right after each test of the file, and what must always hold looked at after the last. */
export async function openSale<const Name extends string>(...names: readonly Name[]): Promise<{ yard: Yard } & Record<Name, Merchant>> {
  const yard = await openSaleYard()
  afterEach(() => yard.travel('0 seconds'))
  after(() => closeSound(yard))
  const people: Partial<Record<Name, Merchant>> = {}
  for (const name of names) people[name] = await newMember(yard)
  return { yard, ...(people as Record<Name, Merchant>) }
}

/** Somebody who may sell and buy, logged in: rows, not a sign-up, whose jobs would still change the account a moment later. */
export async function newMember(yard: Yard, changes: Record<string, unknown> = {}): Promise<Merchant> {
  const id = await newMerchant(yard.owner, {
    payment_account_verified: true,
    not_vat_registered: false,
    vat_number: 'GB123456789',
    vat_status: 'valid',
    business_activity: 'scrap_metal_dealer',
    ...changes,
  })
  const { set_default_address, set_company_address, ...address } = signUpForm().address
  await insert(yard.owner, 'addresses', {
    ...address,
    user_id: id,
    is_default_address: set_default_address,
    is_company_address: set_company_address,
  })
  if (!('company_name' in changes)) await setUser(yard, id, { company_name: `${id.slice(0, 6)} Metals` })
  return { client: await clientOf(yard, id), id, email: `${id}@example.test` }
}

/** A browser in which a user is logged in, without a password. */
export async function clientOf(yard: Yard, userId: string): Promise<Client> {
  const token = newToken()
  await insert(yard.owner, 'sessions', { token_hash: hashToken(token), user_id: userId })
  return yard.client({ sid: token })
}

export async function setUser(yard: Yard, id: string, columns: Record<string, unknown>): Promise<void> {
  const names = Object.keys(columns)
  const values = names.map((name, nth) => `${name} = $${nth + 2}`)
  await yard.owner.query(`update users set ${values.join(', ')} where id = $1`, [id, ...Object.values(columns)])
}

export const see = async (client: Client, id: string) => (await client.get(`/api/v1/listings/${id}`)).body.data
export const act = (client: Client, id: string, action: string, body: object = {}): Promise<Answer> =>
  client.post(`/api/v1/listings/${id}/actions/${action}`, body)

/** Does it, and the listing is in this status. */
export async function acts(client: Client, id: string, action: string, status: string, body: object = {}) {
  const answer = await act(client, id, action, body)
  assert.deepEqual([answer.status, answer.body.data?.status.name], [200, status], `${action}: ${JSON.stringify(answer.body)}`)
  return answer.body.data
}

export async function bid(client: Client, id: string, amount: number): Promise<void> {
  const { status, body } = await client.post(`/api/v1/listings/${id}/bids`, { amount })
  assert.equal(status, 201, JSON.stringify(body))
}

/** The end lies a moment back, as if its time had come; the closer does the rest. */
export async function endNow(yard: Yard, id: string): Promise<void> {
  await yard.owner.query(
    `update listings set expires_at = t.past, first_expires_at = t.past
     from (select date_trunc('milliseconds', app_now()) - interval '1 millisecond' as past) as t where id = $1`,
    [id],
  )
  yard.wakeClosers()
}

/** An Active listing with these bids, each a merchant's whole maximum, that has just ended. */
export async function ended(
  yard: Yard,
  seller: Merchant,
  bids: [Merchant, number][],
  changes: Record<string, unknown> = {},
): Promise<string> {
  const id = await newListing(yard.owner, seller.id, changes)
  for (const [who, amount] of bids) await bid(who.client, id, amount)
  await endNow(yard, id)
  await left(yard, id, 'Active')
  return id
}

/** Waits until a listing has left a status by itself. */
export async function left(yard: Yard, id: string, status: string): Promise<string> {
  for (;;) {
    const { rows } = await yard.owner.query<{ status: string }>('select status from listings where id = $1', [id])
    if (rows[0]?.status !== status) return rows[0]?.status ?? ''
    await pause(10)
  }
}

/** The codes of several answers, in order. */
export const codesOf = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status).toSorted((one, other) => one - other)

export const actionsOf = async (client: Client, id: string): Promise<string[]> =>
  (await see(client, id)).available_actions.map(({ action }: { action: string }) => action)

export const stepsOf = async (yard: Yard, id: string): Promise<string[]> =>
  (await yard.owner.query('select step from listing_events where listing_id = $1 order by seq', [id])).rows.map(({ step }) => step)

export const standingOf = async (client: Client, id: string): Promise<string> => (await see(client, id)).my_latest_bid.bid_status.name

export const awardsOf = async (yard: Yard, id: string): Promise<[string, number, string][]> =>
  (await yard.owner.query('select bidder_id, price, status from awards where listing_id = $1 order by created_at', [id])).rows.map(
    ({ bidder_id, price, status }) => [bidder_id, price, status],
  )

/** Both ask for the listing while somebody else holds it: the first in the queue gets it first. */
export async function inTurn<A, B>(yard: Yard, id: string, first: () => Promise<A>, second: () => Promise<B>): Promise<[A, B]> {
  await yard.owner.query('begin')
  await yard.owner.query('select from listings where id = $1 for update', [id])
  const one = first()
  await untilWaiting(yard, 1)
  const other = second()
  await untilWaiting(yard, 2)
  await yard.owner.query('commit')
  return Promise.all([one, other])
}

/** So many wait for a lock that somebody else holds. */
export async function untilWaiting(yard: Yard, count: number): Promise<void> {
  for (;;) {
    await yard.owner.query('select pg_stat_clear_snapshot()')
    const { rowCount } = await yard.owner.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    if ((rowCount ?? 0) >= count) return
    await pause(2)
  }
}
