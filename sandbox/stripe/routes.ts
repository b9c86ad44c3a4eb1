import { accountLinkRoutes } from '#sandbox/stripe/account-links.ts'
import { accountRoutes } from '#sandbox/stripe/accounts.ts'
import { authenticationRoutes } from '#sandbox/stripe/authentication-page.ts'
import { balanceRoutes } from '#sandbox/stripe/balance.ts'
import { billingExpanders, billingRoutes } from '#sandbox/stripe/billing.ts'
import { cashBalanceRoutes, cashExpanders } from '#sandbox/stripe/cash-balance.ts'
import { chargeExpanders, chargeRoutes } from '#sandbox/stripe/charges.ts'
import { connectRoutes } from '#sandbox/stripe/connect-pages.ts'
import { customerRoutes } from '#sandbox/stripe/customers.ts'
import { disputeRoutes } from '#sandbox/stripe/disputes.ts'
import { eventRoutes } from '#sandbox/stripe/events.ts'
import { faultRoutes } from '#sandbox/stripe/faults.ts'
import { followIntent } from '#sandbox/stripe/follow-intent.ts'
import { paymentIntentRoutes } from '#sandbox/stripe/payment-intent-routes.ts'
import { paymentMethodRoutes } from '#sandbox/stripe/payment-methods.ts'
import { payoutRoutes } from '#sandbox/stripe/payouts.ts'
import { receiptRoutes } from '#sandbox/stripe/receipt-pages.ts'
import { refundRoutes } from '#sandbox/stripe/refunds.ts'
import type { Expanders, IntentFollower, Route } from '#sandbox/stripe/route.ts'
import { setupIntentRoutes } from '#sandbox/stripe/setup-intent-routes.ts'
import { transferRoutes } from '#sandbox/stripe/transfers.ts'

/** Every call that the sandbox answers. The first row that fits is taken. */
export const routes: Route[] = [
  ...accountRoutes,
  ...accountLinkRoutes,
  ...connectRoutes,
  ...customerRoutes,
  ...cashBalanceRoutes,
  ...paymentMethodRoutes,
  ...setupIntentRoutes,
  ...paymentIntentRoutes,
  ...authenticationRoutes,
  ...chargeRoutes,
  ...receiptRoutes,
  ...refundRoutes,
  ...disputeRoutes,
  ...transferRoutes,
  ...payoutRoutes,
  ...balanceRoutes,
  ...eventRoutes,
  ...faultRoutes,
  ...billingRoutes,
]

/** Fields that are only there when they are asked for. */
export const expanders: Expanders = {
  ...chargeExpanders,
  ...cashExpanders,
  ...billingExpanders,
}

/** Who must know when an intent changes. */
export const followers: IntentFollower[] = [followIntent]
