import { z } from 'zod'
import { endpoints } from '#contract/endpoint.ts'
import { addressFields, message, money, text, time } from '#contract/fields.ts'
import { tiers } from '#contract/values/permissions.ts'

// SPEC §7 "Payment provider and subscription": the payment account, the subscription with its plans, coupons and invoices, and
// the cards. Card numbers are in none of these: they go from the browser to the provider.

export const paymentAccount = z
  .object({
    account_completed: z.boolean(),
    account_verified: z.boolean(),
    /** What the provider still asks for, in plain words, most urgent first. */
    missing: z.array(z.object({ code: z.string(), says: z.string(), is_overdue: z.boolean() })),
  })
  .meta({ id: 'PaymentAccount' })
export type PaymentAccount = z.output<typeof paymentAccount>

export const card = z
  .object({ brand: z.string(), last4: z.string(), exp_month: z.int(), exp_year: z.int(), is_expired: z.boolean() })
  .meta({ id: 'Card' })
export type Card = z.output<typeof card>

export const couponDuration = z.enum(['once', 'repeating', 'forever'])

/** `incomplete`: the first payment or the card is still to be confirmed. */
export const subscriptionStatuses = ['incomplete', 'trialing', 'active', 'past_due', 'canceled'] as const

export const subscription = z
  .object({
    id: z.string(),
    tier: z.enum(tiers),
    status: z.enum(subscriptionStatuses),
    price: money,
    interval: z.literal('month'),
    trial_ends_at: time.nullable(),
    /** When the next payment is taken, or when it ends if it is cancelled. */
    current_period_end: time.nullable(),
    next_payment: z.object({ amount: money, at: time }).nullable(),
    cancel_at_period_end: z.boolean(),
    /** After a failed renewal: until when the tier is kept. */
    grace_ends_at: time.nullable(),
    /** `first_payment`: what a month costs with it, before credit. */
    coupon: z.object({ code: z.string(), says: z.string(), duration: couponDuration, first_payment: money }).nullable(),
    card: card.nullable(),
    server_time: time,
  })
  .meta({ id: 'Subscription' })
export type Subscription = z.output<typeof subscription>

export const plan = z
  .object({
    id: z.string(),
    tier: z.enum(tiers),
    name: z.string(),
    price: money,
    interval: z.literal('month'),
    is_current_plan: z.boolean(),
  })
  .meta({ id: 'Plan' })

export const coupon = z
  .object({
    code: z.string(),
    valid: z.boolean(),
    /** 'Half off for 3 months', or why it cannot be used. */
    says: z.string(),
    percent_off: z.number().nullable(),
    amount_off: money.nullable(),
    duration: couponDuration.nullable(),
    /** What the first payment would be, today or at the end of the trial, before credit. */
    first_payment: money.nullable(),
  })
  .meta({ id: 'Coupon' })
export type Coupon = z.output<typeof coupon>

export const subscriptionInvoice = z
  .object({
    id: z.string(),
    number: z.string(),
    status: z.enum(['open', 'paid', 'uncollectible', 'void']),
    total: money,
    amount_due: money,
    period_start: time,
    period_end: time,
    created_at: time,
  })
  .meta({ id: 'SubscriptionInvoice' })

/** What subscribing now would come with. */
const subscribing = z.object({
  trial_ends_at: time.nullable(),
  /** Left from an earlier subscription; the provider takes it off the next payments. */
  credit: money,
  /** The card that would be charged; null where one has to be entered. */
  card: card.nullable(),
})

const couponCode = text(50, 'Enter a code').min(1, 'Enter a code')
const planId = z.enum(tiers, 'Choose a plan')
const clientSecret = z.string().nullable()
const page = z.coerce.number().int().min(1).max(10_000).default(1)
const pageMeta = z.object({ current_page: z.int(), last_page: z.int(), per_page: z.int(), total: z.int() })
const linkReply = { 200: z.object({ data: z.object({ url: z.string() }) }) }
const secretReply = { 200: z.object({ data: z.object({ client_secret: z.string() }) }) }
/** The secret is null where nothing has to be confirmed in the browser. */
const subscriptionReply = z.object({ data: subscription, client_secret: clientSecret, message: z.string() })

export const paymentAccountEndpoints = endpoints({
  'POST /api/v1/stripe/create-account': {
    summary: 'Create the payment account; once per user, however often it is asked for',
    access: 'member',
    replies: { 200: z.object({ data: paymentAccount }) },
  },
  'GET /api/v1/stripe/account': {
    summary: 'The payment account as the provider has it at this moment, and what is still missing',
    access: 'member',
    replies: { 200: z.object({ data: paymentAccount }) },
  },
  'POST /api/v1/stripe/create-account-link': {
    summary: "A link to the provider's own pages, where the account is completed; it works once and for a few minutes",
    access: 'member',
    replies: linkReply,
  },
  'POST /api/v1/stripe/create-login-link': {
    summary: "A link into the user's own pages at the provider: balance and payouts",
    access: 'member',
    replies: linkReply,
  },
  'GET /api/v1/stripe/holding-fee-payment-method': {
    summary: 'The card that holding fees are taken from',
    access: 'member',
    replies: { 200: z.object({ data: card.nullable() }) },
  },
  'POST /api/v1/stripe/create-holding-fee-setup-intent': {
    summary: 'A setup intent for the card that holding fees are taken from',
    access: 'member',
    replies: secretReply,
  },
})

export const subscriptionEndpoints = endpoints({
  'GET /api/v1/stripe/setup-intent': {
    summary: 'A setup intent for the card that the subscription is paid with',
    access: 'member',
    replies: secretReply,
  },
  'POST /api/v1/stripe/attach-payment-method': {
    summary: 'Use a card that the browser has saved at the provider for the subscription',
    access: 'member',
    body: z.strictObject({
      payment_method: z.string().regex(/^pm_\w{1,200}$/, 'This is not a saved card'),
      address: z.strictObject(addressFields).nullish(),
    }),
    replies: { 200: z.object({ data: card, message: z.string() }) },
  },
  'POST /api/v1/stripe/subscription': {
    summary: 'Subscribe; confirm the client_secret in the browser, pi_ a payment, seti_ a card for after the trial',
    access: 'member',
    body: z
      .strictObject({
        plan_id: planId.default('full'),
        coupon_code: couponCode.nullish(),
        /** What the caller was shown as taken today, in pence; 409 `price_changed` where it is another amount. */
        shown_payment: z.int().min(0).nullish(),
      })
      .nullish()
      .transform((form) => form ?? { plan_id: 'full' as const, coupon_code: null, shown_payment: null }),
    replies: {
      201: z.object({ data: z.object({ client_secret: clientSecret, subscription }), client_secret: clientSecret }),
    },
  },
  'GET /api/v1/stripe/subscription': {
    summary: 'The current subscription; null for the free tiers',
    access: 'member',
    replies: { 200: z.object({ data: subscription.nullable() }) },
  },
  'PATCH /api/v1/stripe/subscription': {
    summary: 'Change the plan, at once; what is left of a paid month becomes credit',
    access: 'member',
    body: z.strictObject({ plan_id: planId }),
    replies: { 200: subscriptionReply },
  },
  'POST /api/v1/stripe/subscription/delete': {
    summary: "Cancel at the period's end; 409 if it is cancelled already",
    access: 'member',
    replies: { 200: subscriptionReply },
  },
  'POST /api/v1/stripe/subscription/reactivate': {
    summary: 'Take a cancellation back while the period runs',
    access: 'member',
    replies: { 200: subscriptionReply },
  },
  'GET /api/v1/stripe/subscription/plans': {
    summary: 'The plans there are',
    access: 'member',
    query: z.object({ page, cache: z.string().max(50).optional() }),
    replies: { 200: z.object({ data: z.array(plan), subscribing, meta: pageMeta }) },
  },
  'POST /api/v1/stripe/subscription/coupons/validate': {
    summary: 'Whether a coupon can be used by the caller',
    access: 'member',
    body: z.strictObject({ code: couponCode }),
    replies: { 200: z.object({ data: coupon }) },
  },
  'GET /api/v1/stripe/subscription/invoices': {
    summary: "The subscription's invoices, newest first",
    access: 'member',
    query: z.object({ page }),
    replies: { 200: z.object({ data: z.array(subscriptionInvoice), meta: pageMeta }) },
  },
})

export const paymentEndpoints = { ...paymentAccountEndpoints, ...subscriptionEndpoints }

/** Outside the table, because it answers a file: the PDF of an invoice. */
export const INVOICE_DOWNLOAD = '/api/v1/stripe/subscription/invoices/{id}/download'

export const couponForm = z.strictObject({
  code: couponCode.regex(/^[\w-]+$/, 'A code has letters, digits, - and _'),
  percent_off: z.number().min(1).max(100).nullish(),
  amount_off: z.int().min(1).nullish(),
  duration: couponDuration.default('once'),
  duration_in_months: z.int().min(1).max(36).nullish(),
  max_redemptions: z.int().min(1).nullish(),
  redeem_by: time.nullish(),
})

const couponRow = couponForm.extend({ times_redeemed: z.int(), is_active: z.boolean(), created_at: time })

export const adminPaymentEndpoints = endpoints({
  'GET /api/v1/admin/coupons': {
    summary: 'Every coupon',
    access: 'staff',
    audit: 'see-coupons',
    replies: { 200: z.object({ data: z.array(couponRow) }) },
  },
  'POST /api/v1/admin/coupons': {
    summary: 'Add a coupon',
    access: 'admin',
    audit: 'add-coupon',
    body: couponForm,
    replies: { 201: z.object({ data: couponRow }) },
  },
  'DELETE /api/v1/admin/coupons/{code}': {
    summary: 'Take a coupon out of use; who has it keeps it',
    access: 'admin',
    audit: 'end-coupon',
    params: z.object({ code: couponCode }),
    replies: { 200: message },
  },
})
