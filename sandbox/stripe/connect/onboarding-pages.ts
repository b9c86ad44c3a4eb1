import type Stripe from 'stripe'
import { totals } from '#sandbox/stripe/payments/balance.ts'
import { connectForm, readAnswers } from '#sandbox/stripe/connect/onboarding-form.ts'
import { DOCUMENT, missingOf, saveOnboarding, testAnswers } from '#sandbox/stripe/connect/onboarding.ts'
import type { Context, Route } from '#sandbox/stripe/engine/route.ts'
import { formatPence } from '#domain/format.ts'
import { formatShortDay } from '#domain/format-time.ts'
import { escapeHtml } from '#server/providers/letter.ts'
import { page, type Raw, redirect } from '#sandbox/stripe/http/page.ts'

// someone who opened the page in time may take this long to fill it in
const VISIT_SECONDS = 60 * 60

export const connectRoutes: Route[] = [
  { method: 'GET', path: '/sandbox/connect/:link', access: 'open', handle: openOnboarding },
  { method: 'POST', path: '/sandbox/connect/:link', access: 'open', handle: answerOnboarding },
  { method: 'GET', path: '/sandbox/express/:link', access: 'open', handle: openDashboard },
]

const gone = () => page('This link does not work', '<p>Go back to the site that sent you here and ask for a new link.</p>', 404)

async function openOnboarding(context: Context): Promise<Raw> {
  const { store, now, params } = context
  const link = await store.get('hidden.account_link', params['link'] ?? '')
  const account = link && (await store.get('account', link.account))
  if (!link || !account) return gone()
  if (link.used || link.expires_at <= now) return redirect(link.refresh_url)
  await store.put('hidden.account_link', { ...link, used: true })
  return showForm(context, account)
}

async function answerOnboarding(context: Context): Promise<Raw> {
  const { store, now, params, form } = context
  const link = await store.get('hidden.account_link', params['link'] ?? '')
  const account = link && (await store.get('account', link.account))
  if (!link || !account) return gone()
  if (!link.used || link.expires_at + VISIT_SECONDS <= now) return redirect(link.refresh_url)
  const { answers: old = {}, verification = 'open' } = (await store.get('hidden.onboarding', account.id)) ?? {}
  const action = form.text('action')
  const given = { ...old, ...readAnswers(form) }
  const answers = action === 'test' ? testAnswers(given) : given

  if (action === 'later') {
    await saveOnboarding(context, account, answers, verification)
    return redirect(link.return_url)
  }
  if (action === 'refuse') {
    await saveOnboarding(context, account, testAnswers(given), 'refused')
    return redirect(link.return_url)
  }
  const changed = await saveOnboarding(context, account, answers, verification)
  const lacksDocument = verification === 'refused' && action !== 'test' && form.text('document') === undefined
  if (missingOf(answers).length > 0 || lacksDocument) return showForm(context, changed, 'Some details are still missing.')
  await saveOnboarding(context, changed, answers, 'verified')
  return redirect(link.return_url)
}

async function showForm({ store }: Context, account: Stripe.Account, problem?: string): Promise<Raw> {
  const { answers = {} } = (await store.get('hidden.onboarding', account.id)) ?? {}
  const due = account.requirements?.currently_due ?? []
  return page('Your payment account', connectForm({ answers, due, needsDocument: due.includes(DOCUMENT), problem }))
}

async function openDashboard({ store, now, params }: Context): Promise<Raw> {
  const link = await store.get('hidden.login_link', params['link'] ?? '')
  const account = link && (await store.get('account', link.account))
  if (!link || !account || link.used || link.expires_at <= now) return gone()
  await store.put('hidden.login_link', { ...link, used: true })
  const own = store.as(account.id)
  const { available, pending } = await totals(own)
  const { data: payouts } = await own.page('payout', { limit: 20 })
  const rows = payouts.map(
    ({ amount, arrival_date, status }) =>
      `<tr><td>${formatShortDay(new Date(arrival_date * 1000))}</td><td>${escapeHtml(status)}</td><td>${formatPence(amount)}</td></tr>`,
  )
  const table = `<table><thead><tr><th scope="col">Arrives</th><th scope="col">Status</th><th scope="col">Amount</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
  return page(
    'Your balance',
    `<p class="soft">${escapeHtml(account.business_profile?.name ?? account.email ?? account.id)}</p>
    <p class="big">${formatPence(available + pending)}</p>
    <p>${formatPence(available)} can be paid out now, ${formatPence(pending)} is on its way to your balance.</p>
    <h2>Payouts</h2>
    ${rows.length > 0 ? table : '<p class="soft">No payouts yet. They begin when your first sale has been paid.</p>'}`,
  )
}
