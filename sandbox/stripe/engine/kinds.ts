import type Stripe from 'stripe'

/** What the store holds, by kind: Stripe's own objects, and what the sandbox remembers about them and never shows. */
export type Kinds = Shown & Hidden

export type Shown = {
  account: Stripe.Account
  balance_transaction: Stripe.BalanceTransaction
  charge: Stripe.Charge
  coupon: Stripe.Coupon
  customer: Stripe.Customer
  customer_balance_transaction: Stripe.CustomerBalanceTransaction
  customer_cash_balance_transaction: Stripe.CustomerCashBalanceTransaction
  discount: Stripe.Discount
  dispute: Stripe.Dispute
  event: Stripe.Event
  invoice: Stripe.Invoice
  invoice_payment: Stripe.InvoicePayment
  invoiceitem: Stripe.InvoiceItem
  mandate: Stripe.Mandate
  payment_intent: Stripe.PaymentIntent
  payment_method: Stripe.PaymentMethod
  payout: Stripe.Payout
  price: Stripe.Price
  product: Stripe.Product
  promotion_code: Stripe.PromotionCode
  refund: Stripe.Refund
  setup_intent: Stripe.SetupIntent
  subscription: Stripe.Subscription
  subscription_item: Stripe.SubscriptionItem
  transfer: Stripe.Transfer
  transfer_reversal: Stripe.TransferReversal
}

export type Hidden = {
  /** How a card behaves, by its name in payments/cards.ts; the number itself is never kept. */
  'hidden.card': { id: string; behaviour: string; is_set_up: boolean }
  'hidden.account_link': { id: string; account: string; expires_at: number; used: boolean; refresh_url: string; return_url: string }
  'hidden.login_link': { id: string; account: string; expires_at: number; used: boolean }
  /** What a person typed into the hosted onboarding page, by account. */
  'hidden.onboarding': { id: string; answers: Record<string, string>; verification: 'open' | 'verified' | 'refused' }
  /** Where the cardholder goes after the bank's question, by intent. */
  'hidden.authentication': { id: string; return_url: string | null; state: 'waiting' | 'passed' | 'failed' }
  /** Money that a customer sent and did not spend yet, in pence by currency, and the account it is sent to. */
  'hidden.cash_balance': {
    id: string
    available: Record<string, number>
    account_number: string
    /** As the customer's own settings say; the account's default when absent. */
    mode?: 'automatic' | 'manual'
    /** When it last changed; null while there is nothing in it. */
    idle_since?: number | null
    /** The bank account that money can be sent back to is known. */
    is_payer_known?: boolean
  }
  /** What becomes of a refund by itself, and when. */
  'hidden.refund': { id: string; what: 'succeed' | 'fail' | 'fail_unfunded' | 'expire'; at: number }
  /** What was deleted still answers to its id. */
  'hidden.deleted': { id: string; object: string; deleted: true }
  /** What billing does by itself at a time: `renew:sub_…`. */
  'hidden.agenda': { id: string; what: BillingTask; of: string; at: number }
  /** A discount's coupon as it was when it was redeemed. */
  'hidden.discount': { id: string; coupon: Stripe.Coupon }
  /** The unguessable part of an invoice's address. */
  'hidden.invoice_page': { id: string; invoice: string }
}

/** What billing does by itself: to a subscription, or (finalize, retry, give_up) to an invoice. */
export type BillingTask = 'expire' | 'warn_trial' | 'announce' | 'cancel' | 'renew' | 'finalize' | 'retry' | 'give_up'
