import { sql } from 'kysely'
import type { Stripe } from 'stripe'
import type { Card } from '#contract/payments.ts'
import type { Db, Tx } from '#server/db/db.ts'
import { lockUser } from '#server/db/user.ts'
import { callKind, nextRead, reserveCall, type Provider } from '#server/features/payments/calls.ts'
import { ensureCustomer } from '#server/features/payments/customer.ts'
import { look, providerIsAway } from '#server/providers/payment.ts'

// Cards are saved by the browser at the provider; we know their ids and what is printed on a receipt.

type Deps = { db: Db; provider: Provider }

/** What a card is saved for. */
export type CardPurpose = 'subscription' | 'holding_fee'

export const cardCalls = {
  create_setup_intent: callKind<Stripe.SetupIntentCreateParams, Stripe.SetupIntent>({
    send: (stripe, params, options) => stripe.setupIntents.create(params, options),
    settle: async () => {},
  }),
  attach_card: callKind<{ card: string; customer: string }, Stripe.PaymentMethod>({
    send: (stripe, { card, customer }, options) => stripe.paymentMethods.attach(card, { customer }, options),
    settle: async () => {},
  }),
  use_card: callKind<{ customer: string } & Stripe.CustomerUpdateParams, Stripe.Customer>({
    send: (stripe, { customer, ...params }, options) =>
      stripe.customers.update(customer, { ...params, expand: ['invoice_settings.default_payment_method'] }, options),
    async settle(tx, { user_id }, customer) {
      const shown = shownCard(customer.invoice_settings.default_payment_method)
      await tx
        .updateTable('users')
        // numbered after the answer: a look that began before it may have seen the card of before
        .set({ subscription_card: jsonOf(shown), cards_read: await nextRead(tx) })
        .where('id', '=', user_id)
        .where('erased_at', 'is', null)
        .execute()
    },
  }),
}

/** A setup intent that waits for its card; one that is still open serves again. */
export async function setupIntentFor(deps: Deps, userId: string, purpose: CardPurpose): Promise<string> {
  const { db, provider } = deps
  const customer = await ensureCustomer(deps, userId)
  for (let spent: string | null = null; ;) {
    const callId = await db.transaction().execute((tx) => openOrNewIntent(tx, { userId, purpose, customer, spent }))
    const id = await provider.finish(callId)
    const intent = await look(provider.stripe.setupIntents.retrieve(id))
    if (intent?.client_secret && isWaiting(intent)) return intent.client_secret
    if (spent === callId) throw providerIsAway()
    spent = callId
  }
}

const isWaiting = ({ status }: Stripe.SetupIntent) =>
  ['requires_payment_method', 'requires_confirmation', 'requires_action'].includes(status)

type IntentRequest = { userId: string; purpose: CardPurpose; customer: string; spent: string | null }

async function openOrNewIntent(tx: Tx, { userId, purpose, customer, spent }: IntentRequest): Promise<string> {
  await lockUser(tx, userId)
  const latest = await tx
    .selectFrom('provider_calls')
    .select(['id', 'status'])
    .where('user_id', '=', userId)
    .where('kind', '=', 'create_setup_intent')
    .where(sql<string>`subject ->> 'purpose'`, '=', purpose)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (latest && latest.status !== 'refused' && latest.id !== spent) return latest.id
  const params: Stripe.SetupIntentCreateParams = {
    customer,
    usage: 'off_session',
    allowed_payment_method_types: ['card'],
    metadata: { user_id: userId, purpose },
  }
  return reserveCall(tx, { kind: 'create_setup_intent', userId, subject: { purpose }, params })
}

/** The user's cards as the provider has them now. The card for holding fees is the one that was saved for them last. */
export async function syncCards({ db, provider }: Deps, customerId: string): Promise<void> {
  const readNo = await nextRead(db)
  const customer = await look(provider.stripe.customers.retrieve(customerId, { expand: ['invoice_settings.default_payment_method'] }))
  if (!customer || customer.deleted) return
  const intents = await look(
    provider.stripe.setupIntents
      .list({ customer: customerId, limit: 100, expand: ['data.payment_method'] })
      .autoPagingToArray({ limit: 1_000 }),
  )
  // newest first, as the provider lists them
  const forHolding = (intents ?? []).filter(({ metadata }) => metadata?.['purpose'] === ('holding_fee' satisfies CardPurpose))
  const card = shownCard(forHolding.find((intent) => isSaved(intent, customerId))?.payment_method)
  await db
    .updateTable('users')
    .set({
      subscription_card: jsonOf(shownCard(customer.invoice_settings.default_payment_method)),
      // below zero the customer is in credit
      subscription_credit: Math.max(0, -customer.balance),
      ...(forHolding.length > 0 && { holding_fee_card: card?.id ?? null, holding_fee_card_shown: jsonOf(card) }),
      cards_read: readNo,
      updated_at: sql`app_now()`,
    })
    .where('provider_customer_id', '=', customerId)
    .where('cards_read', '<', readNo)
    .where('erased_at', 'is', null)
    .execute()
}

/** A card that was taken off the customer since is saved no more. */
const isSaved = ({ status, payment_method }: Stripe.SetupIntent, customerId: string) =>
  status === 'succeeded' && payment_method !== null && typeof payment_method === 'object' && idOf(payment_method.customer) === customerId

export type KnownCard = { id: string; brand: string; last4: string; exp_month: number; exp_year: number }

export function shownCard(method: string | Stripe.PaymentMethod | null | undefined): KnownCard | null {
  if (!method || typeof method === 'string' || !method.card) return null
  const { brand, last4, exp_month, exp_year } = method.card
  return { id: method.id, brand, last4, exp_month, exp_year }
}

export const jsonOf = (value: unknown): string | null => (value === null ? null : JSON.stringify(value))

export const idOf = (reference: string | { id: string } | null | undefined): string | null =>
  typeof reference === 'string' ? reference : (reference?.id ?? null)

/** As people see it. A card is good to the end of its month. */
export function presentCard(card: unknown, now: Date): Card | null {
  if (!card) return null
  const { brand, last4, exp_month, exp_year } = card as KnownCard
  return { brand, last4, exp_month, exp_year, is_expired: now.getTime() >= Date.UTC(exp_year, exp_month, 1) }
}
