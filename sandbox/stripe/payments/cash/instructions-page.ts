import { remainingOf } from '#sandbox/stripe/payments/cash/bank-transfers.ts'
import { arrived } from '#sandbox/stripe/payments/cash/reconcile.ts'
import type { Context, Route } from '#sandbox/stripe/engine/route.ts'
import { formatPence } from '#domain/format.ts'
import { escapeHtml } from '#server/providers/letter.ts'
import { page, type Raw, redirect } from '#sandbox/stripe/http/page.ts'

/** What a bank transfer's hosted_instructions_url shows: the details, and a bank to play with. */
export const instructionsPageRoutes: Route[] = [
  { method: 'GET', path: '/sandbox/bank-transfer/:intent', access: 'open', handle: showInstructions },
  { method: 'POST', path: '/sandbox/bank-transfer/:intent', access: 'open', handle: sendMoney },
]

const gone = () => page('Nothing here', '<p>This page does not exist.</p>', 404)

async function showInstructions({ store, params }: Context, problem = ''): Promise<Raw> {
  const intent = await store.get('payment_intent', params['intent'] ?? '')
  if (intent?.status === 'succeeded') return page('Thank you', `<p>Your bank transfer of ${formatPence(intent.amount)} has arrived.</p>`)
  const instructions = intent?.next_action?.display_bank_transfer_instructions
  const account = instructions?.financial_addresses?.[0]?.sort_code
  if (!intent || !instructions || !account) return gone()
  const remaining = remainingOf(intent) ?? 0
  const paid = intent.amount - remaining
  return page(
    `Send ${formatPence(remaining)}`,
    `<p>Make a transfer from your bank with these details.</p>
    ${paid > 0 ? `<p>${formatPence(paid)} has arrived.</p>` : ''}
    <table>
    <tr><th scope="row">Name</th><td>${escapeHtml(account.account_holder_name)}</td></tr>
    <tr><th scope="row">Sort code</th><td>${account.sort_code.replaceAll(/(\d\d)(?=\d)/g, '$1-')}</td></tr>
    <tr><th scope="row">Account number</th><td>${account.account_number}</td></tr>
    <tr><th scope="row">Reference</th><td>${instructions.reference ?? ''}</td></tr>
    </table>
    <h2>Your test bank</h2>
    ${problem ? `<p class="bad" role="alert">${escapeHtml(problem)}</p>` : ''}
    <form method="post" novalidate>
    <label>Amount in pounds<small>Send less or more to see what happens</small>
    <input name="amount" inputmode="decimal" autocomplete="off" value="${(remaining / 100).toFixed(2)}"></label>
    <label class="tick"><input type="checkbox" name="is_known" value="1">The bank says which account it comes from</label>
    <button>Pay this transfer</button></form>`,
  )
}

async function sendMoney(context: Context): Promise<Raw> {
  const { store, params, form, url } = context
  const intent = await store.get('payment_intent', params['intent'] ?? '')
  const instructions = intent?.next_action?.display_bank_transfer_instructions
  if (!instructions || typeof intent?.customer !== 'string') return gone()
  const amount = penceOf(form.text('amount') ?? '')
  if (amount === undefined) return showInstructions(context, 'Enter an amount such as 300.00.')
  const { reference } = instructions
  await arrived(context, intent.customer, { amount, currency: intent.currency, reference, isSenderKnown: form.has('is_known') })
  return redirect(url.pathname)
}

function penceOf(text: string): number | undefined {
  const [, pounds = '', pence = ''] = /^£?\s*(\d{1,9})(?:\.(\d{2}))?$/.exec(text.replaceAll(',', '').trim()) ?? []
  const amount = Number(pounds) * 100 + Number(pence)
  return pounds !== '' && amount > 0 ? amount : undefined
}
