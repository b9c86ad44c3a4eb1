import assert from 'node:assert/strict'
import { clientOf, see, type Merchant } from '#tests/support/auctions/sale.ts'
import { fillForm } from '#tests/support/sales/fill-form.ts'
import { confirmed, newBuyer, paid, pay, sold, TOTAL, transferIn } from '#tests/support/payments/sale-money.ts'
import { seededRandom } from '#tests/support/random.ts'
import type { Yard } from '#tests/support/yard.ts'

const random = seededRandom(20_261_115)

/** Takes an action that is offered, with its form filled and some fields chosen; the listing is then in this status. */
export async function plays(
  yard: Yard,
  who: Merchant,
  id: string,
  action: string,
  status: string,
  given: Record<string, unknown> = {},
): Promise<any> {
  // a session that was not used for days is over
  const client = await clientOf(yard, who.id)
  const listing = await see(client, id)
  const offered = listing.available_actions.find((each: { action: string }) => each.action === action)
  assert.ok(offered, `${action} is not offered in ${listing.status.name}, but ${listing.available_actions.map((each: any) => each.action)}`)
  const { rows } = await yard.owner.query(
    'select x.handover_code from exchanges x join awards a on a.id = x.award_id where a.listing_id = $1 and x.handover_code is not null',
    [id],
  )
  const body = await fillForm({ client, fields: offered.fields, listing, random, code: rows[0]?.handover_code, given })
  const answer = await client.post(`/api/v1/listings/${id}/actions/${action}`, body)
  assert.equal(answer.status, 200, `${action} ${JSON.stringify(body)}: ${JSON.stringify(answer.body)}`)
  await yard.bankSettled()
  assert.equal(answer.body.data.status.name, status, action)
  return answer.body.data
}

// money that needs no days to become available: a refund can be sent at once
const AVAILABLE_AT_ONCE = '4000000000000077'

export async function paysByCard(yard: Yard, buyer: Merchant, id: string): Promise<void> {
  const client = await clientOf(yard, buyer.id)
  await confirmed(yard, (await paid(pay({ ...buyer, client }, id, 'card'))).client_secret, AVAILABLE_AT_ONCE)
}

export async function paysByTransfer(yard: Yard, buyer: Merchant, id: string, amount = TOTAL): Promise<void> {
  const client = await clientOf(yard, buyer.id)
  const { bank_details } = await paid(pay({ ...buyer, client }, id, 'bank_transfer'))
  await transferIn(yard, buyer, amount, bank_details.reference)
}

/** A sale that a new buyer has paid by card. */
export async function bought(
  yard: Yard,
  seller: Merchant,
  changes: Record<string, unknown> = {},
): Promise<{ id: string; buyer: Merchant }> {
  const buyer = await newBuyer(yard)
  const id = await sold(yard, seller, buyer, { weight_kg: 1_000, ...changes })
  await paysByCard(yard, buyer, id)
  return { id, buyer }
}
