import type Stripe from 'stripe'
import { bill } from '#sandbox/stripe/billing/invoices/bill.ts'
import { idOf } from '#sandbox/stripe/engine/store.ts'
import { grantDiscounts } from '#sandbox/stripe/billing/discounts.ts'
import { invalid } from '#sandbox/stripe/http/errors.ts'
import { mergeMetadata, type Form } from '#sandbox/stripe/http/form.ts'
import { collectByItself } from '#sandbox/stripe/billing/invoices/collect.ts'
import { prorations } from '#sandbox/stripe/billing/subscriptions/proration.ts'
import { renew } from '#sandbox/stripe/billing/subscriptions/renewals.ts'
import type { Context, Work } from '#sandbox/stripe/engine/route.ts'
import {
  cancelFields,
  needPrice,
  ownMethod,
  plainFields,
  PRORATION_BEHAVIOURS,
  trialEnd,
} from '#sandbox/stripe/billing/subscriptions/form.ts'
import { itemOf, saveSubscription, withItem } from '#sandbox/stripe/billing/subscription-record.ts'
import { planOf } from '#sandbox/stripe/billing/subscriptions/make.ts'

type Subscription = Stripe.Subscription

export async function updateSubscription(context: Context): Promise<Subscription> {
  const { store, params, form, now } = context
  const old = await store.need('subscription', params['id'] ?? '')
  if (old.ended_at !== null) {
    throw invalid('A canceled subscription can only update its cancellation_details and metadata.', {
      code: 'invalid_canceled_subscription_fields',
    })
  }
  const proration = form.oneOf('proration_behavior', PRORATION_BEHAVIOURS) ?? 'create_prorations'
  const prorateAt = form.integer('proration_date') ?? now
  form.allow('payment_behavior', 'off_session')
  const trial_end = trialEnd(form, now)
  const price = await newPrice(context, form, old)
  if (price && proration !== 'none') await writeProrations(context, old, { to: price, at: prorateAt })

  const method = form.nullable('default_payment_method')
  const discounts = form.has('discounts')
    ? await grantDiscounts(context, form.children('discounts'), { customer: idOf(old.customer), subscription: old.id })
    : undefined
  const priced = price ? withItem(old, { price, plan: planOf(price) }) : {}
  const changed = await saveSubscription(context, old.id, {
    ...priced,
    ...plainFields(form, old),
    ...(await trialFields(context, { ...old, ...priced }, trial_end, proration !== 'none')),
    ...cancelFields(form, old, now),
    metadata: mergeMetadata(old.metadata, form.map('metadata')),
    ...(method !== undefined && { default_payment_method: method && (await ownMethod(context, idOf(old.customer), method)) }),
    ...(discounts && { discounts }),
  })
  if (trial_end === null && old.status === 'trialing') await renew(context, changed, { isAtOnce: true })
  else if (price && proration === 'always_invoice' && old.status !== 'trialing') {
    await collectByItself(context, await bill(context, changed, { reason: 'subscription_update', lines: [] }))
  }
  return store.need('subscription', old.id)
}

async function newPrice(work: Work, form: Form, subscription: Subscription): Promise<Stripe.Price | undefined> {
  const [change, ...others] = form.children('items') ?? []
  if (!change) return undefined
  const item = itemOf(subscription)
  if (others.length > 0 || change.text('id') !== item.id) {
    throw invalid(`The sandbox sells subscriptions of exactly one item: change ${item.id}.`, { param: 'items[0][id]' })
  }
  const id = change.text('price')
  change.allow('quantity')
  return id && id !== item.price.id ? needPrice(work, id, 'items[0][price]') : undefined
}

async function writeProrations(work: Work, subscription: Subscription, change: { to: Stripe.Price | null; at: number }): Promise<void> {
  for (const item of await prorations(work, subscription, change)) {
    await work.store.put('invoiceitem', item)
    await work.emit('invoiceitem.created', item)
  }
}

/** A trial that is longer, shorter, or only begins: the month then starts where it ends. */
async function trialFields(
  work: Work,
  old: Subscription,
  trial_end: number | null | undefined,
  prorates: boolean,
): Promise<Partial<Subscription>> {
  if (!trial_end) return {}
  if (old.status === 'incomplete') throw invalid('An incomplete subscription cannot be given a trial.', { param: 'trial_end' })
  if (old.status !== 'trialing' && prorates) await writeProrations(work, old, { to: null, at: work.now })
  const start = old.status === 'trialing' ? itemOf(old).current_period_start : work.now
  return {
    ...withItem(old, { current_period_start: start, current_period_end: trial_end }),
    billing_cycle_anchor: trial_end,
    status: 'trialing',
    trial_end,
    trial_start: old.trial_start ?? work.now,
  }
}
