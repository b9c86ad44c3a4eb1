import type { Context, Route } from '#sandbox/stripe/engine/route.ts'
import { formatPence } from '#domain/format.ts'
import { formatShortDay } from '#domain/format-time.ts'
import { escapeHtml } from '#server/providers/letter.ts'
import { page, type Raw } from '#sandbox/stripe/http/page.ts'

/** What a charge's receipt_url shows. */
export const receiptRoutes: Route[] = [{ method: 'GET', path: '/sandbox/receipts/:receipt', access: 'open', handle: showReceipt }]

const gone = () => page('Nothing here', '<p>This page does not exist.</p>', 404)

async function showReceipt({ store, url, publicBase }: Context): Promise<Raw> {
  const [charge] = await store.find('charge', { receipt_url: `${publicBase}${url.pathname}` })
  if (!charge) return gone()
  const card = charge.payment_method_details?.card
  // the part that was never captured counts as refunded, but nobody paid it
  const refunded = charge.amount_refunded - (charge.amount - charge.amount_captured)
  return page(
    `Receipt for ${formatPence(charge.amount_captured)}`,
    `<table>
    <tr><th scope="row">Paid</th><td>${formatShortDay(new Date(charge.created * 1000))}</td></tr>
    <tr><th scope="row">With</th><td>${card ? `${escapeHtml(card.brand ?? 'card')} ending in ${card.last4}` : 'Bank transfer'}</td></tr>
    ${charge.description ? `<tr><th scope="row">For</th><td>${escapeHtml(charge.description)}</td></tr>` : ''}
    ${refunded > 0 ? `<tr><th scope="row">Refunded</th><td>${formatPence(refunded)}</td></tr>` : ''}
    </table>`,
  )
}
