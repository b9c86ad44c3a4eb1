import type Stripe from 'stripe'
import { couponRoutes } from '#sandbox/stripe/coupons.ts'
import { customerCreditRoutes } from '#sandbox/stripe/customer-credit.ts'
import { intentOf } from '#sandbox/stripe/invoice-finalize.ts'
import { invoiceItemRoutes } from '#sandbox/stripe/invoice-items.ts'
import { invoicePageRoutes } from '#sandbox/stripe/invoice-pages.ts'
import { previewRoutes } from '#sandbox/stripe/invoice-preview.ts'
import { invoiceRoutes } from '#sandbox/stripe/invoices.ts'
import { emptyList } from '#sandbox/stripe/lists.ts'
import { priceRoutes } from '#sandbox/stripe/prices.ts'
import { productRoutes } from '#sandbox/stripe/products.ts'
import type { Expanders, Route } from '#sandbox/stripe/route.ts'
import { subscriptionRoutes } from '#sandbox/stripe/subscriptions.ts'

export const billingRoutes: Route[] = [
  ...productRoutes,
  ...priceRoutes,
  ...couponRoutes,
  ...customerCreditRoutes,
  ...subscriptionRoutes,
  ...previewRoutes,
  ...invoiceItemRoutes,
  ...invoiceRoutes,
  ...invoicePageRoutes,
]

export const billingExpanders: Expanders = {
  'invoice.confirmation_secret': async (work, invoice: Stripe.Invoice): Promise<Stripe.Invoice.ConfirmationSecret | null> => {
    const intent = await intentOf(work, invoice)
    return intent?.client_secret ? { client_secret: intent.client_secret, type: 'payment_intent' } : null
  },
  'invoice.payments': async ({ store }, { id }: Stripe.Invoice): Promise<Stripe.ApiList<Stripe.InvoicePayment>> => ({
    ...emptyList<Stripe.InvoicePayment>(`/v1/invoice_payments?invoice=${id}`),
    data: (await store.find('invoice_payment', { invoice: id })).reverse(),
  }),
}
