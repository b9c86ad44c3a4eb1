import type Stripe from 'stripe'
import { missing } from '#sandbox/stripe/http/errors.ts'
import { invoicePdf, totals, WORDS } from '#sandbox/stripe/billing/invoices/pdf.ts'
import type { Context, Route } from '#sandbox/stripe/engine/route.ts'
import { formatPence } from '#domain/format.ts'
import { formatShortDay } from '#domain/format-time.ts'
import { escapeHtml } from '#server/providers/letter.ts'
import { page, type Raw } from '#sandbox/stripe/http/page.ts'

/** What an invoice's address shows to whoever has it: no key is asked, and nobody can guess it. */
export const invoicePageRoutes: Route[] = [
  { method: 'GET', path: '/sandbox/invoices/:page', access: 'open', handle: showInvoice },
  {
    method: 'GET',
    path: '/sandbox/invoices/:page/pdf',
    access: 'open',
    handle: async (context): Promise<Raw> => {
      const invoice = await findInvoice(context)
      const headers = {
        'content-type': 'application/pdf',
        'content-disposition': `attachment; filename="Invoice-${invoice.number ?? 'draft'}.pdf"`,
      }
      return { raw: { status: 200, headers, body: await invoicePdf(invoice) } }
    },
  },
]

async function findInvoice({ store, params }: Context): Promise<Stripe.Invoice> {
  const id = params['page'] ?? ''
  const found = await store.get('hidden.invoice_page', id)
  if (!found) throw missing('invoice', id)
  return store.need('invoice', found.invoice)
}

async function showInvoice(context: Context): Promise<Raw> {
  const invoice = await findInvoice(context)
  const rows = [
    ...invoice.lines.data.map(({ description, amount }): [string, number] => [description ?? '', amount]),
    ...totals(invoice),
    ['Amount due', invoice.amount_remaining] as [string, number],
  ]
  return page(
    `Invoice ${invoice.number ?? ''}`,
    `<p class="big">${formatPence(invoice.total)}</p>
    <p class="soft">${WORDS[invoice.status ?? 'draft']} · ${formatShortDay(new Date((invoice.effective_at ?? invoice.created) * 1000))}</p>
    <table><tbody>${rows.map(([label, amount]) => `<tr><td>${escapeHtml(label)}</td><td>${formatPence(amount)}</td></tr>`).join('')}</tbody></table>
    <p><a href="${escapeHtml(invoice.invoice_pdf ?? '')}">Download the PDF</a></p>`,
  )
}
