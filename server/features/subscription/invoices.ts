import type { Stripe } from 'stripe'
import type { Db, Tx } from '#server/db/db.ts'
import { idOf, isLine, nextRead, postLine, postOwn, timeOf, userOfCustomer, type Provider } from '#server/features/payments/public.ts'
import { look } from '#server/providers/payment.ts'

// Invoices of the subscription: the provider numbers and prints them, we keep what lists show, and the ledger what was paid.

export type InvoiceDeps = { db: Db; provider: Provider }

const PAGE = 20

export async function listInvoices(db: Db, userId: string, page: number) {
  const own = db.selectFrom('subscription_invoices').where('user_id', '=', userId)
  const { count } = await own.select((read) => read.fn.countAll<string>().as('count')).executeTakeFirstOrThrow()
  const rows = await own
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(PAGE)
    .offset((page - 1) * PAGE)
    .execute()
  const total = Number(count)
  return { rows, meta: { current_page: page, last_page: Math.max(1, Math.ceil(total / PAGE)), per_page: PAGE, total } }
}

/** An invoice as the provider has it now, with the money that paid it, in one transaction. Drafts have no number and are nobody's yet. */
export async function applyInvoice(deps: InvoiceDeps, invoiceId: string): Promise<void> {
  const { db, provider } = deps
  const readNo = await nextRead(db)
  const invoice = await look(provider.stripe.invoices.retrieve(invoiceId, { expand: ['payments'] }))
  if (!invoice?.number || !invoice.status || invoice.status === 'draft') return
  const customer = idOf(invoice.customer)
  const userId = await userOfCustomer(db, customer)
  if (!userId || !customer) return
  const lines = await linesOf(provider, invoice)
  const credits = await creditsOf(provider, customer)
  await db.transaction().execute(async (tx) => {
    await writeInvoice(tx, invoice, userId, readNo)
    for (const line of lines) await postLine(tx, line, { purpose: 'subscription', userId, listingId: null })
    for (const credit of credits) await postCredit(tx, credit, userId)
  })
}

async function linesOf(provider: Provider, invoice: Stripe.Invoice): Promise<Stripe.BalanceTransaction[]> {
  const lines: Stripe.BalanceTransaction[] = []
  for (const { payment, status } of invoice.payments?.data ?? []) {
    const intentId = idOf(payment.payment_intent)
    if (status !== 'paid' || !intentId) continue
    const intent = await look(provider.stripe.paymentIntents.retrieve(intentId, { expand: ['latest_charge.balance_transaction'] }))
    const charge = intent?.latest_charge
    if (charge && typeof charge !== 'string' && isLine(charge.balance_transaction)) lines.push(charge.balance_transaction)
  }
  return lines
}

const creditsOf = async (provider: Provider, customer: string) =>
  (await look(provider.stripe.customers.listBalanceTransactions(customer, { limit: 100 }).autoPagingToArray({ limit: 1_000 }))) ?? []

/** Below zero the provider owes the customer more, above zero less. */
const postCredit = (tx: Tx, { id, amount, created, description, type }: Stripe.CustomerBalanceTransaction, userId: string) =>
  postOwn(tx, {
    kind: amount < 0 ? 'credit_given' : 'credit_used',
    source: id,
    memo: description ?? type,
    amount: Math.abs(amount),
    userId,
    occurredAt: timeOf(created),
  })

async function writeInvoice(tx: Tx, invoice: Stripe.Invoice, userId: string, readNo: string): Promise<void> {
  const [line] = invoice.lines.data.toSorted((one, other) => other.period.end - one.period.end)
  const row = {
    status: invoice.status ?? 'open',
    total: invoice.total,
    amount_due: invoice.amount_due,
    amount_paid: invoice.amount_paid,
    period_start: timeOf(line?.period.start ?? invoice.period_start),
    period_end: timeOf(line?.period.end ?? invoice.period_end),
    read_no: readNo,
  }
  await tx
    .insertInto('subscription_invoices')
    .values({ ...row, provider_id: invoice.id, user_id: userId, number: invoice.number ?? '', created_at: timeOf(invoice.created) })
    .onConflict((conflict) => conflict.column('provider_id').doUpdateSet(row).where('subscription_invoices.read_no', '<', readNo))
    .execute()
}
