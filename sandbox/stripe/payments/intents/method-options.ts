import type Stripe from 'stripe'
import type { Form } from '#sandbox/stripe/http/form.ts'
import { missingParam } from '#sandbox/stripe/http/errors.ts'

type Options = Stripe.PaymentIntent.PaymentMethodOptions
type CardOptions = Stripe.PaymentIntent.PaymentMethodOptions.Card

export const plainOptions = {
  card: { installments: null, mandate_options: null, network: null, request_three_d_secure: 'automatic' },
} satisfies Options

/** `payment_method_options`: each name that is read here is honoured, every other one is refused as unknown. */
export function readMethodOptions(form: Form, old: Options | null): Options | undefined {
  const given = form.child('payment_method_options')
  if (!given) return undefined
  const card = given.child('card')
  const bank = given.child('customer_balance')
  return {
    ...(old ?? plainOptions),
    ...(card && { card: cardOptions(card, old?.card ?? plainOptions.card) }),
    ...(bank && { customer_balance: bankOptions(bank) }),
  }
}

/** An authorisation that waits for its capture: asked for the whole intent, or for its card alone. */
export const isCapturedByHand = ({ capture_method, payment_method_options }: Stripe.PaymentIntent) =>
  capture_method === 'manual' || payment_method_options?.card?.capture_method === 'manual'

export const savesCard = ({ setup_future_usage, payment_method_options }: Stripe.PaymentIntent) =>
  ['off_session', 'on_session'].includes(payment_method_options?.card?.setup_future_usage ?? setup_future_usage ?? 'none')

function cardOptions(form: Form, old: CardOptions): CardOptions {
  const options = { ...old }
  const capture = form.nullable('capture_method')
  if (capture === null) delete options.capture_method
  else if (capture !== undefined) options.capture_method = form.oneOf('capture_method', ['manual'] as const) ?? 'manual'
  const usage = form.nullable('setup_future_usage')
  if (usage === null) delete options.setup_future_usage
  else if (usage !== undefined) {
    options.setup_future_usage = form.oneOf('setup_future_usage', ['none', 'off_session', 'on_session'] as const) ?? 'none'
  }
  const confirmation = form.oneOf('request_three_d_secure', ['any', 'automatic', 'challenge'] as const)
  if (confirmation) options.request_three_d_secure = confirmation
  // kept and shown, never granted: longer authorisations need another pricing plan at the provider
  const extended = form.oneOf('request_extended_authorization', ['if_available', 'never'] as const)
  if (extended) options.request_extended_authorization = extended
  return options
}

function bankOptions(form: Form): Stripe.PaymentIntent.PaymentMethodOptions.CustomerBalance {
  const funding_type = form.oneOf('funding_type', ['bank_transfer'] as const) ?? null
  const type = form.child('bank_transfer')?.oneOf('type', ['gb_bank_transfer'] as const)
  if (funding_type && !type) throw missingParam('payment_method_options[customer_balance][bank_transfer][type]')
  const setup_future_usage = form.oneOf('setup_future_usage', ['none'] as const) ?? 'none'
  return { funding_type, setup_future_usage, ...(type && { bank_transfer: { type } }) }
}
