import type Stripe from 'stripe'
import { connectTo, freshDatabase } from '#tests/support/processes/postgres.ts'
import { openEar, openStripeSandbox, type Ear, type OpenSandbox } from '#tests/support/payments/stripe.ts'

export type Billing = OpenSandbox & {
  ear: Ear
  price: Stripe.Price
  /** The clock stands at this moment until it is moved; what it passed has happened when this resolves. */
  goTo: (moment: string) => Promise<void>
  /** A customer, with this test card as the default for invoices if one is named. */
  customer: (card?: string) => Promise<Stripe.Customer>
  subscribe: (customer: string, more?: Partial<Stripe.SubscriptionCreateParams>) => Promise<Stripe.Subscription>
  /** The types of the events about one object, or with it inside, oldest first. */
  told: (id: string) => Promise<string[]>
  close: () => Promise<void>
}

/** The sandbox at noon on 31 January 2027, with Yardbid's one price. */
export async function openBilling(start = '2027-01-31T12:00:00Z'): Promise<Billing> {
  const database = await freshDatabase()
  const owner = await connectTo(database.url)
  await owner.query(`
    create table test_clock (at timestamptz not null);
    insert into test_clock values ('${start}');
    create or replace function app_now() returns timestamptz language sql volatile return (select at from test_clock)`)
  const ear = await openEar()
  const sandbox = await openStripeSandbox(database.url, { webhook: { url: ear.url, secret: 'whsec_billing' } })
  const { stripe } = sandbox
  const product = await stripe.products.create({ id: 'yardbid_full', name: 'Yardbid full' })
  const price = await stripe.prices.create({
    product: product.id,
    currency: 'gbp',
    unit_amount: 16_500,
    recurring: { interval: 'month' },
    lookup_key: 'full_16500_month',
  })

  return {
    ...sandbox,
    ear,
    price,
    async goTo(moment) {
      await owner.query('update test_clock set at = $1', [moment])
      await sandbox.settleDue()
    },
    async customer(card) {
      const { id } = await stripe.customers.create({ name: 'Ann Smith', email: 'ann@yard.test' })
      if (card) {
        const method = await stripe.paymentMethods.attach(card, { customer: id })
        await stripe.customers.update(id, { invoice_settings: { default_payment_method: method.id } })
      }
      return (await stripe.customers.retrieve(id)) as Stripe.Customer
    },
    subscribe: (customer, more = {}) =>
      stripe.subscriptions.create({
        customer,
        items: [{ price: price.id }],
        payment_behavior: 'default_incomplete',
        payment_settings: { save_default_payment_method: 'on_subscription' },
        expand: ['latest_invoice.confirmation_secret', 'pending_setup_intent'],
        ...more,
      }),
    async told(id) {
      const { rows } = await owner.query<{ type: string }>(
        `select doc ->> 'type' as type from stripe_sandbox.objects
         where kind = 'event' and (doc #>> '{data,object,id}' = $1 or doc #>> '{data,object,parent,subscription_details,subscription}' = $1)
         order by seq`,
        [id],
      )
      return rows.map(({ type }) => type)
    },
    async close() {
      await sandbox.stop()
      await ear.close()
      await owner.end()
      await database.drop()
    },
  }
}

/** The whole invoice that a subscription asked to be expanded. */
export function invoiceOf({ latest_invoice }: Stripe.Subscription): Stripe.Invoice {
  if (latest_invoice === null || typeof latest_invoice === 'string') throw new Error('The invoice was not expanded')
  return latest_invoice
}

export const secretOf = (subscription: Stripe.Subscription) => invoiceOf(subscription).confirmation_secret?.client_secret ?? ''

export const secondsOf = (moment: string) => Date.parse(moment) / 1000

export const ends = ({ items }: Stripe.Subscription) => new Date((items.data[0]?.current_period_end ?? 0) * 1000).toISOString()
