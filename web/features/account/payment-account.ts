import type { UserLite } from '#contract/account.ts'

/** How far the account at the payment provider is, in words. */
export function paymentAccountOf({ subscription: { stripe } }: UserLite): string {
  if (stripe.account_verified) return 'Verified by Stripe'
  return stripe.account_completed ? 'Being verified by Stripe' : 'Not set up'
}
