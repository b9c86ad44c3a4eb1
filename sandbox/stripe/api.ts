import { couponRoutes } from '#sandbox/stripe/billing/coupons.ts'
import { customerCreditRoutes } from '#sandbox/stripe/billing/customer-credit.ts'
import { invoiceItemRoutes } from '#sandbox/stripe/billing/invoices/by-hand.ts'
import { invoicePageRoutes } from '#sandbox/stripe/billing/invoices/pages.ts'
import { priceRoutes } from '#sandbox/stripe/billing/prices.ts'
import { productRoutes } from '#sandbox/stripe/billing/products.ts'
import { customerDeletionRoutes } from '#sandbox/stripe/billing/subscriptions/end.ts'
import { followIntent } from '#sandbox/stripe/billing/subscriptions/follow-intent.ts'
import { invoiceExpanders, invoiceRoutes } from '#sandbox/stripe/billing/subscriptions/invoice-routes.ts'
import { previewRoutes } from '#sandbox/stripe/billing/subscriptions/preview.ts'
import { settleBilling } from '#sandbox/stripe/billing/subscriptions/renewals.ts'
import { subscriptionRoutes } from '#sandbox/stripe/billing/subscriptions/subscription-routes.ts'
import { accountLinkRoutes } from '#sandbox/stripe/connect/account-links.ts'
import { accountRoutes } from '#sandbox/stripe/connect/accounts.ts'
import { connectRoutes } from '#sandbox/stripe/connect/onboarding-pages.ts'
import { payoutRoutes, settlePayouts } from '#sandbox/stripe/connect/payouts.ts'
import { transferRoutes } from '#sandbox/stripe/connect/transfers.ts'
import { eventRoutes } from '#sandbox/stripe/engine/events.ts'
import { faultRoutes } from '#sandbox/stripe/engine/faults.ts'
import type { Api } from '#sandbox/stripe/engine/route.ts'
import { balanceRoutes, settleBalances } from '#sandbox/stripe/payments/balance.ts'
import { cashBalanceRoutes, cashExpanders } from '#sandbox/stripe/payments/cash/cash-routes.ts'
import { returnIdleCash } from '#sandbox/stripe/payments/cash/idle-cash.ts'
import { instructionsPageRoutes } from '#sandbox/stripe/payments/cash/instructions-page.ts'
import { chargeExpanders, chargeRoutes } from '#sandbox/stripe/payments/charges.ts'
import { customerRoutes } from '#sandbox/stripe/payments/customers.ts'
import { disputeRoutes } from '#sandbox/stripe/payments/disputes/dispute-routes.ts'
import { settleDisputes } from '#sandbox/stripe/payments/disputes/disputes.ts'
import { authenticationRoutes } from '#sandbox/stripe/payments/intents/authentication-page.ts'
import { paymentIntentRoutes } from '#sandbox/stripe/payments/intents/payment-intent-routes.ts'
import { releaseAuthorisations } from '#sandbox/stripe/payments/intents/payment-intents.ts'
import { setupIntentRoutes } from '#sandbox/stripe/payments/intents/setup-intent-routes.ts'
import { paymentMethodRoutes } from '#sandbox/stripe/payments/payment-methods.ts'
import { receiptRoutes } from '#sandbox/stripe/payments/receipt-pages.ts'
import { refundPageRoutes } from '#sandbox/stripe/payments/refunds/refund-page.ts'
import { settleRefunds } from '#sandbox/stripe/payments/refunds/settle.ts'
import { refundRoutes } from '#sandbox/stripe/payments/refunds/refund-routes.ts'

export const api: Api = {
  routes: [
    ...accountRoutes,
    ...accountLinkRoutes,
    ...connectRoutes,
    ...customerRoutes,
    ...customerDeletionRoutes,
    ...cashBalanceRoutes,
    ...paymentMethodRoutes,
    ...setupIntentRoutes,
    ...paymentIntentRoutes,
    ...authenticationRoutes,
    ...chargeRoutes,
    ...receiptRoutes,
    ...instructionsPageRoutes,
    ...refundRoutes,
    ...refundPageRoutes,
    ...disputeRoutes,
    ...transferRoutes,
    ...payoutRoutes,
    ...balanceRoutes,
    ...eventRoutes,
    ...faultRoutes,
    ...productRoutes,
    ...priceRoutes,
    ...couponRoutes,
    ...customerCreditRoutes,
    ...subscriptionRoutes,
    ...previewRoutes,
    ...invoiceItemRoutes,
    ...invoiceRoutes,
    ...invoicePageRoutes,
  ],
  expanders: { ...chargeExpanders, ...cashExpanders, ...invoiceExpanders },
  followers: [followIntent],
  duties: [settleBalances, settleRefunds, settleDisputes, settlePayouts, releaseAuthorisations, returnIdleCash, settleBilling],
}
