import { buffer } from 'node:stream/consumers'
import type Stripe from 'stripe'
import { formatPence } from '#domain/format.ts'
import { formatShortDay } from '#domain/format-time.ts'

const INK = '#16202c'
const SOFT = '#566171'
const LEFT = 56
const RIGHT = 539

/** An A4 page with what was bought, what was taken off, and what was paid. */
export async function invoicePdf(invoice: Stripe.Invoice): Promise<Buffer> {
  const { number, customer_name, customer_email, effective_at, created, status } = invoice
  const made = new Date((effective_at ?? created) * 1000)
  const info = { Title: `Invoice ${number ?? ''}`, Author: invoice.account_name ?? '', CreationDate: made, ModDate: made }
  // loaded for the first invoice that somebody downloads: it takes as long as a tenth of a start
  const { default: Pdf } = await import('pdfkit')
  const doc = new Pdf({ size: 'A4', margin: LEFT, info, lang: 'en-GB' })
  const whole = buffer(doc)

  doc.font('Helvetica-Bold').fontSize(24).fillColor(INK).text('Invoice', LEFT, 56)
  doc.fontSize(12).text(invoice.account_name ?? '', LEFT, 62, { width: RIGHT - LEFT, align: 'right' })
  doc.moveDown(2)
  row(doc, 'Invoice number', number ?? 'Draft')
  row(doc, 'Date of issue', formatShortDay(new Date((effective_at ?? created) * 1000)))
  row(doc, 'Billed to', [customer_name, customer_email].filter(Boolean).join(', ') || 'Customer')
  row(doc, 'Status', WORDS[status ?? 'draft'] ?? 'Draft')
  doc.moveDown(1.5)
  for (const { description, period, amount } of invoice.lines.data) {
    row(
      doc,
      `${description ?? ''}\n${formatShortDay(new Date(period.start * 1000))} to ${formatShortDay(new Date(period.end * 1000))}`,
      formatPence(amount),
    )
    rule(doc)
  }
  doc.moveDown()
  for (const [label, amount] of totals(invoice)) row(doc, label, formatPence(amount))
  const isPaid = status === 'paid'
  row(doc, isPaid ? 'Amount paid' : 'Amount due', formatPence(isPaid ? invoice.amount_paid : invoice.amount_remaining), 'Helvetica-Bold')
  doc.end()
  return whole
}

/** From the lines to what is due: discounts and the customer's credit only where there are any. */
export function totals({ subtotal, total_discount_amounts, total, starting_balance, ending_balance }: Stripe.Invoice): [string, number][] {
  const off = (total_discount_amounts ?? []).reduce((sum, { amount }) => sum + amount, 0)
  const credit = (ending_balance ?? starting_balance) - starting_balance
  return [
    ['Subtotal', subtotal],
    ...(off > 0 ? [['Discount', -off] as [string, number]] : []),
    ['Total', total],
    ...(credit > 0 ? [['Credit used', -credit] as [string, number]] : []),
    ...(credit < 0 ? [['Credited to your account', -credit] as [string, number]] : []),
  ]
}

export const WORDS: Record<string, string> = {
  draft: 'Draft',
  open: 'Payment due',
  paid: 'Paid',
  uncollectible: 'Not collected',
  void: 'Void',
}

function row(doc: PDFKit.PDFDocument, label: string, value: string, font = 'Helvetica'): void {
  const { y } = doc
  doc.font(font).fontSize(11)
  doc.fillColor(SOFT).text(label, LEFT, y, { width: 340 })
  const below = doc.y
  doc.fillColor(INK).text(value, LEFT + 200, y, { width: RIGHT - LEFT - 200, align: 'right' })
  doc.y = Math.max(below, doc.y) + 6
}

function rule(doc: PDFKit.PDFDocument): void {
  doc.moveTo(LEFT, doc.y).lineTo(RIGHT, doc.y).lineWidth(0.5).strokeColor('#c9d0d9').stroke()
  doc.y += 8
}
