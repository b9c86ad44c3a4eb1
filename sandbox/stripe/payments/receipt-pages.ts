import { arrived } from '#sandbox/stripe/payments/cash-balance.ts'
import type { Context, Route } from '#sandbox/stripe/engine/route.ts'
import { formatPence, formatShortDay } from '#domain/format.ts'
import { escapeHtml } from '#server/providers/letter.ts'
import { page, type Raw, redirect } from '#sandbox/stripe/http/page.ts'

/** What a charge's receipt_url and a bank transfer's hosted_instructions_url show. */
export const receiptRoutes: Route[] = [
  { method: 'GET', path: '/sandbox/receipts/:receipt', access: 'open', handle: showReceipt },
  { method: 'GET', path: '/sandbox/bank-transfer/:intent', access: 'open', handle: showInstructions },
  { method: 'POST', path: '/sandbox/bank-transfer/:intent', access: 'open', handle: sendMoney },
]

const gone = () => page('Nothing here', '<p>This page does not exist.</p>', 404)

async function showReceipt({ store, url, publicBase }: Context): Promise<Raw> {
  const [charge] = await store.find('charge', { receipt_url: `${publicBase}${url.pathname}` })
  if (!charge) return gone()
  const card = charge.payment_method_details?.card
  return page(
    `Receipt for ${formatPence(charge.amount_captured)}`,
    `<table>
    <tr><th scope="row">Paid</th><td>${formatShortDay(new Date(charge.created * 1000))}</td></tr>
    <tr><th scope="row">With</th><td>${card ? `${escapeHtml(card.brand ?? 'card')} ending in ${card.last4}` : 'Bank transfer'}</td></tr>
    ${charge.description ? `<tr><th scope="row">For</th><td>${escapeHtml(charge.description)}</td></tr>` : ''}
    ${charge.amount_refunded > 0 ? `<tr><th scope="row">Refunded</th><td>${formatPence(charge.amount_refunded)}</td></tr>` : ''}
    </table>`,
  )
}

async function showInstructions({ store, params }: Context): Promise<Raw> {
  const intent = await store.get('payment_intent', params['intent'] ?? '')
  if (intent?.status === 'succeeded') return page('Thank you', `<p>Your bank transfer of ${formatPence(intent.amount)} has arrived.</p>`)
  const instructions = intent?.next_action?.display_bank_transfer_instructions
  const account = instructions?.financial_addresses?.[0]?.sort_code
  if (!instructions || !account) return gone()
  return page(
    `Send ${formatPence(instructions.amount_remaining ?? 0)}`,
    `<p>Make a transfer from your bank with these details.</p>
    <table>
    <tr><th scope="row">Name</th><td>${escapeHtml(account.account_holder_name)}</td></tr>
    <tr><th scope="row">Sort code</th><td>${account.sort_code.replaceAll(/(\d\d)(?=\d)/g, '$1-')}</td></tr>
    <tr><th scope="row">Account number</th><td>${account.account_number}</td></tr>
    <tr><th scope="row">Reference</th><td>${instructions.reference ?? ''}</td></tr>
    </table>
    <form method="post"><button>Send it now (test)</button></form>`,
  )
}

async function sendMoney(context: Context): Promise<Raw> {
  const intent = await context.store.get('payment_intent', context.params['intent'] ?? '')
  const instructions = intent?.next_action?.display_bank_transfer_instructions
  if (!instructions || typeof intent?.customer !== 'string') return gone()
  const amount = instructions.amount_remaining ?? 0
  await arrived(context, intent.customer, { amount, currency: intent.currency, reference: instructions.reference })
  return redirect(context.url.pathname)
}
