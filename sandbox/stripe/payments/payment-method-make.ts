import { createHash } from 'node:crypto'
import type Stripe from 'stripe'
import { behaviourNamed, hasCheckDigit, namedCards, testCards, type Behaviour, type TestCard } from '#sandbox/stripe/payments/cards.ts'
import { cardError, invalid } from '#sandbox/stripe/http/errors.ts'
import { mergeMetadata, type Form } from '#sandbox/stripe/http/form.ts'
import type { Work } from '#sandbox/stripe/engine/route.ts'
import { newId } from '#sandbox/stripe/engine/store.ts'

type Typed = { number: string; exp_month: number; exp_year: number; hasCvc: boolean }

/** A payment method from `type=card&card[number]=…` or `type=customer_balance`. The number goes no further than this file. */
export async function makePaymentMethod(work: Work, form: Form): Promise<Stripe.PaymentMethod> {
  const type = form.oneOf('type', ['card', 'customer_balance'] as const)
  if (!type) throw invalid('Missing required param: type.', { code: 'parameter_missing', param: 'type' })
  const more = { billing_details: billingDetails(form), metadata: mergeMetadata({}, form.map('metadata')) }
  form.allow('allow_redisplay', 'radar_options', 'referrer', 'guid', 'muid', 'sid')
  if (type === 'customer_balance') {
    return work.store.put('payment_method', { ...blank(work), ...more, type, customer_balance: {} })
  }
  const typed = typedCard(form, work.now)
  return storeCard(work, typed, more)
}

/** The payment method of this id; a name such as pm_card_visa makes a new one. */
export async function findPaymentMethod(work: Work, id: string, param = 'payment_method'): Promise<Stripe.PaymentMethod> {
  const number = namedCards[id]
  if (!number) return work.store.need('payment_method', id, param)
  return storeCard(work, { number, exp_month: 12, exp_year: new Date(work.now * 1000).getUTCFullYear() + 2, hasCvc: true }, {})
}

export async function behaviourOf({ store }: Work, paymentMethod: Stripe.PaymentMethod): Promise<Behaviour & { isSetUp: boolean }> {
  const card = await store.get('hidden.card', paymentMethod.id)
  return { ...behaviourNamed(card?.behaviour ?? 'succeeds'), isSetUp: card?.is_set_up ?? false }
}

export const emptyAddress = { city: null, country: null, line1: null, line2: null, postal_code: null, state: null }

export function billingDetails(form: Form, old?: Stripe.PaymentMethod.BillingDetails): Stripe.PaymentMethod.BillingDetails {
  const given = form.child('billing_details')
  const address = given?.child('address')
  const kept = old ?? { address: emptyAddress, email: null, name: null, phone: null, tax_id: null }
  const pick = <Key extends string>(from: Form | undefined, keys: readonly Key[]) =>
    Object.fromEntries(keys.flatMap((key) => (from?.has(key) ? [[key, from.nullable(key)]] : []))) as Partial<Record<Key, string | null>>
  return {
    ...kept,
    ...pick(given, ['email', 'name', 'phone', 'tax_id']),
    address: { ...emptyAddress, ...kept.address, ...pick(address, ['city', 'country', 'line1', 'line2', 'postal_code', 'state']) },
  }
}

const blank = ({ now }: Work) => ({
  id: newId('pm'),
  object: 'payment_method' as const,
  allow_redisplay: 'unspecified' as const,
  billing_details: { address: emptyAddress, email: null, name: null, phone: null, tax_id: null },
  created: now,
  customer: null,
  customer_account: null,
  livemode: false,
  metadata: {},
})

async function storeCard(work: Work, typed: Typed, more: Partial<Stripe.PaymentMethod>): Promise<Stripe.PaymentMethod> {
  const card = testCards[typed.number]
  if (!card) {
    const message = 'Your card was declined. Your request was in test mode, but used a non test card. Use one of the test cards.'
    throw cardError({ code: 'card_declined', decline_code: 'test_mode_live_card', message })
  }
  const method = { ...blank(work), ...more, type: 'card' as const, card: cardDetails(card, typed) }
  await work.store.put('hidden.card', { id: method.id, behaviour: card.behaviour, is_set_up: false })
  return work.store.put('payment_method', method)
}

const cardDetails = ({ brand, funding }: TestCard, { number, exp_month, exp_year, hasCvc }: Typed): Stripe.PaymentMethod.Card => ({
  brand,
  checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: hasCvc ? 'unchecked' : null },
  country: 'GB',
  display_brand: brand,
  exp_month,
  exp_year,
  // only published test numbers come this far, so that their hash gives nothing away
  fingerprint: createHash('sha256').update(`sandbox:${number}`).digest('base64url').replaceAll(/[-_]/g, 'x').slice(0, 16),
  funding,
  generated_from: null,
  last4: number.slice(-4),
  networks: { available: [brand], preferred: null },
  regulated_status: 'unregulated',
  three_d_secure_usage: { supported: true },
  wallet: null,
})

function typedCard(form: Form, now: number): Typed {
  const card = form.child('card')
  const token = card?.text('token')
  const known = token && namedCards[token.replace(/^tok_/, 'pm_card_')]
  const today = new Date(now * 1000)
  if (known) return { number: known, exp_month: 12, exp_year: today.getUTCFullYear() + 2, hasCvc: true }
  if (!card) throw invalid('Missing required param: card.', { code: 'parameter_missing', param: 'card' })

  const number = card.required('number').replaceAll(/[\s-]/g, '')
  const exp_month = card.integer('exp_month') ?? 0
  const givenYear = card.integer('exp_year') ?? 0
  const exp_year = givenYear < 100 ? 2000 + givenYear : givenYear
  const cvc = card.text('cvc')
  if (!hasCheckDigit(number)) throw cardError({ code: 'incorrect_number', param: 'number', message: 'Your card number is incorrect.' })
  if (exp_month < 1 || exp_month > 12) {
    throw cardError({ code: 'invalid_expiry_month', param: 'exp_month', message: "Your card's expiration month is invalid." })
  }
  const months = (exp_year - today.getUTCFullYear()) * 12 + exp_month - 1 - today.getUTCMonth()
  if (months < 0 || exp_year > today.getUTCFullYear() + 50) {
    throw cardError({ code: 'invalid_expiry_year', param: 'exp_year', message: "Your card's expiration year is invalid." })
  }
  if (cvc !== undefined && !/^\d{3,4}$/.test(cvc)) {
    throw cardError({ code: 'invalid_cvc', param: 'cvc', message: "Your card's security code is invalid." })
  }
  return { number, exp_month, exp_year, hasCvc: cvc !== undefined }
}
