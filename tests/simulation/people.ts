import { clientOf, newMember, type Merchant } from '#tests/support/auctions/sale.ts'
import { bankCall, GOOD_CARD } from '#tests/support/payments/paying.ts'
import { payWithCard } from '#tests/support/payments/stripe.ts'
import type { World } from '#tests/simulation/world.ts'

const CARD_THAT_ASKS = '4000002760003184'
const CARD_REFUSED_LATER = '4000000000000341'

type NewSeller = { isComplete?: boolean; changes?: Record<string, unknown> }

/** A seller with an account at the provider, which can be paid into once it is complete. */
export async function newSeller(world: World, { isComplete = true, changes = {} }: NewSeller = {}): Promise<Merchant> {
  const { yard } = world
  const account = await newAccount(world)
  const seller = await newMember(yard, { payment_account_id: account, ...changes })
  if (isComplete) await complete(world, account)
  else await unverify(world, seller)
  return seller
}

/** A buyer with a card for holding fees; most cards work. */
export async function newBuyer(world: World, { isVerified = true } = {}): Promise<Merchant> {
  const { yard, random } = world
  const hasTerms = random.between(1, 2) === 1
  const buyer = await newMember(yard, {
    ...(hasTerms && { deferred_days: 4, deferred_limit: 100_000_000 }),
    ...(!isVerified && { payment_account_id: await newAccount(world) }),
  })
  const client = await clientOf(yard, buyer.id)
  const { body } = await client.post('/api/v1/stripe/create-holding-fee-setup-intent')
  const card = random.oneOf([GOOD_CARD, GOOD_CARD, GOOD_CARD, GOOD_CARD, CARD_THAT_ASKS, CARD_REFUSED_LATER])
  const { intent } = await payWithCard(yard.bank, body.data.client_secret, card)
  if (intent?.status === 'requires_action') await bankCall(yard, 'POST', `/sandbox/authenticate/${intent.id}`, { outcome: 'pass' })
  await client.get('/api/v1/stripe/holding-fee-payment-method')
  if (!isVerified) await unverify(world, buyer)
  return buyer
}

/** The provider has seen the papers of everybody on this list. */
export async function verify(world: World, ids: readonly string[]): Promise<void> {
  const { rows } = await world.yard.owner.query<{ account: string }>(
    'select payment_account_id as account from users where id = any($1::uuid[]) and not payment_account_verified',
    [ids],
  )
  for (const { account } of rows) await complete(world, account)
}

const complete = ({ yard }: World, account: string) => bankCall(yard, 'POST', `/sandbox/accounts/${account}/complete`)

const unverify = ({ yard }: World, { id }: Merchant) =>
  yard.owner.query('update users set payment_account_verified = false where id = $1', [id])

async function newAccount({ yard }: World): Promise<string> {
  const { id } = await yard.payment.stripe.accounts.create({
    type: 'express',
    country: 'GB',
    capabilities: { card_payments: { requested: true }, transfers: { requested: true } },
  })
  return id
}
