import { randomUUID } from 'node:crypto'
import { bankCall, GOOD_CARD } from '#tests/support/payments/paying.ts'
import { payWithCard } from '#tests/support/payments/stripe.ts'
import type { Answer, Client } from '#tests/support/client.ts'
import type { Deal, Standing } from '#tests/simulation/deal.ts'
import { needsCard } from '#tests/simulation/goals.ts'
import { isAccepted } from '#tests/simulation/answers.ts'
import type { World } from '#tests/simulation/world.ts'

// How buyers pay, and what card holders and banks do with it later.

const CARD_AT_ONCE = '4000000000000077'
const CARD_THAT_ASKS = '4000002760003184'
const DECLINED_CARD = '4000000000009995'
const CARD_OF_SLOW_REFUNDS = '4000000000007726'

type Buying = { world: World; deal: Deal; buyerId: string; client: Client }

/** The buyer pays what is due, in full or in part, by one of the ways that there are. */
export async function payAs(world: World, deal: Deal, buyerId: string, how: 'full' | 'part' | 'begin'): Promise<void> {
  const buying = { world, deal, buyerId, client: await world.clientFor({ id: buyerId }) }
  if (how === 'begin') return void (await begin(buying, deal.random.oneOf(['card', 'bank_transfer', undefined])))
  if (how === 'part') return payByTransfer(buying, 'part')
  const way = deal.goal && needsCard(deal.goal) ? 1 : deal.random.between(1, 10)
  if (way <= 5) await payByCard(buying)
  else await payByTransfer(buying, way === 10 ? 'too much' : way === 9 ? 'twice' : 'full')
}

/** Asks to pay, now and then twice at once with one key. */
async function begin({ world, deal, client }: Buying, method: string | undefined): Promise<any> {
  const key = { 'idempotency-key': randomUUID() }
  const ask = (): Promise<Answer> => client.post(`/api/v1/listings/${deal.id}/pay`, method ? { method } : {}, key)
  const isTwice = deal.random.between(1, 8) === 1
  const answers = isTwice ? await Promise.all([ask(), ask()]) : [await ask()]
  const accepted = answers.filter((answer) => isAccepted(world, `pay by ${method ?? 'default'}`, answer))
  return accepted[0]?.body.data
}

async function payByCard(buying: Buying): Promise<void> {
  const { world } = buying
  const open = await begin(buying, 'card')
  if (!open) return payByTransfer(buying, 'full')
  const { yard } = world
  const { random } = buying.deal
  const card = random.oneOf([GOOD_CARD, CARD_AT_ONCE, CARD_AT_ONCE, CARD_THAT_ASKS, DECLINED_CARD, CARD_OF_SLOW_REFUNDS])
  const intent = (await unlessLost(world, () => payWithCard(yard.bank, open.client_secret, card)))?.intent
  if (card === DECLINED_CARD) await unlessLost(world, () => payWithCard(yard.bank, open.client_secret, GOOD_CARD))
  if (intent?.status === 'requires_action') {
    await unlessLost(world, () => bankCall(yard, 'POST', `/sandbox/authenticate/${intent.id}`, { outcome: 'pass' }))
  }
}

async function payByTransfer(buying: Buying, what: 'full' | 'part' | 'too much' | 'twice'): Promise<void> {
  const { deal, client } = buying
  const open = await begin(buying, 'bank_transfer')
  const due = open?.amount.value ?? (await client.get(`/api/v1/listings/${deal.id}`)).body.data?.amounts?.due.value ?? 0
  if (!open?.bank_details || due <= 0) return
  const reference = open.bank_details.reference
  const amounts = { full: [due], part: [Math.ceil(due / 3)], 'too much': [due + deal.random.between(1, 9_999)], twice: [due, due] }
  for (const amount of amounts[what]) await sendTransfer(buying, amount, reference)
}

async function sendTransfer({ world, buyerId }: Buying, amount: number, reference?: string): Promise<void> {
  const { yard } = world
  const { rows } = await yard.owner.query('select provider_customer_id as customer from users where id = $1', [buyerId])
  const customer: string | null = rows[0]?.customer
  if (!customer) return
  const transfer = { amount, currency: 'gbp', ...(reference && { reference }) }
  await unlessLost(world, () => yard.payment.stripe.testHelpers.customers.fundCashBalance(customer, transfer))
}

/** Money that comes when the sale is over. */
export async function payLate(world: World, deal: Deal): Promise<void> {
  const { rows } = await world.yard.owner.query<{ bidder_id: string; total: number; reference: string | null }>(
    `select a.bidder_id, a.total, p.bank_details ->> 'reference' as reference
     from awards a join sale_payments p on p.award_id = a.id
     where a.listing_id = $1 and a.status = 'missed' and p.method = 'bank_transfer'
     limit 1`,
    [deal.id],
  )
  const [missed] = rows
  if (!missed) return
  const client = await world.clientFor({ id: missed.bidder_id })
  await sendTransfer({ world, deal, buyerId: missed.bidder_id, client }, missed.total, missed.reference ?? undefined)
}

/** The card holder asks the bank for the money back. Answers whether there was a card payment to dispute. */
export async function dispute(world: World, { id }: Standing): Promise<boolean> {
  const { rows } = await world.yard.owner.query<{ charge_id: string }>(
    `select p.charge_id
     from sale_payments p join awards a on a.id = p.award_id join stripe_sandbox.objects c on c.kind = 'charge' and c.id = p.charge_id
     where a.listing_id = $1 and p.method = 'card' and p.status = 'succeeded' and not (c.doc ->> 'disputed')::boolean
     order by a.created_at desc
     limit 1`,
    [id],
  )
  if (!rows[0]) return false
  const opening = { charge: rows[0].charge_id, reason: 'product_not_received' }
  await unlessLost(world, () => bankCall(world.yard, 'POST', '/sandbox/disputes', opening))
  return true
}

export async function decideDispute(world: World, { id }: Standing, status: 'won' | 'lost'): Promise<boolean> {
  const { rows } = await world.yard.owner.query<{ id: string }>(
    `select d.id from sale_disputes d join awards a on a.id = d.award_id where a.listing_id = $1 and d.status = 'open' limit 1`,
    [id],
  )
  const open = rows[0]
  if (!open) return false
  await unlessLost(world, () => bankCall(world.yard, 'POST', `/sandbox/disputes/${open.id}/close`, { status }))
  return true
}

/** Banks answer what refunds wait for: most arrive, some come back once. */
export async function decideRefunds(world: World, isClosing: boolean): Promise<void> {
  const { yard, random } = world
  const { rows } = await yard.owner.query<{ provider_id: string; status: string; tries: number }>(
    `select provider_id, status, tries from refunds where status in ('waiting', 'pending') and provider_id is not null`,
  )
  for (const { provider_id, status, tries } of rows) {
    const outcome = status === 'waiting' ? 'details' : !isClosing && tries === 0 && random.between(1, 8) === 1 ? 'fail' : 'succeed'
    await unlessLost(world, () => bankCall(yard, 'POST', `/sandbox/refunds/${provider_id}`, { outcome }))
  }
}

/** The provider's faults hit us too: what was asked of it may be done or not. */
async function unlessLost<T>(world: World, ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    const why = `provider: ${error instanceof Error ? error.message.replaceAll(/\w+_\w{8,}/g, '…') : String(error)}`
    world.refusals.set(why, (world.refusals.get(why) ?? 0) + 1)
    return undefined
  }
}
