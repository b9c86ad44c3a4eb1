import type Stripe from 'stripe'
import type { Decline } from '#sandbox/stripe/payments/cards.ts'
import { invalid, missing } from '#sandbox/stripe/http/errors.ts'
import { parseJson } from '#sandbox/stripe/http/form.ts'
import { failPayment, payIntent } from '#sandbox/stripe/payments/intents/pay.ts'
import type { Context, Intent, Route, Work } from '#sandbox/stripe/engine/route.ts'
import { formatPence } from '#domain/format.ts'
import { escapeHtml } from '#server/providers/letter.ts'
import { page, redirect } from '#sandbox/stripe/http/page.ts'
import { refuseSetUp, setUp } from '#sandbox/stripe/payments/intents/setup-intents.ts'

const NOT_CONFIRMED = 'We are unable to authenticate your payment method. Please choose a different payment method and try again.'

/** The bank's question to the cardholder, as a page for people and as a call `{ outcome: 'pass' | 'fail' }` for tests. */
export const authenticationRoutes: Route[] = [
  {
    method: 'GET',
    path: '/sandbox/authenticate/:intent',
    access: 'open',
    handle: async (context) => {
      const intent = await findIntent(context)
      if (intent.status !== 'requires_action')
        return page('Nothing to confirm', '<p>This payment is not waiting for you. You can close this page.</p>')
      const what = intent.object === 'payment_intent' ? `a payment of ${formatPence(intent.amount)}` : 'saving your card for later payments'
      const choice = (outcome: string, label: string, look = '') =>
        `<button name="outcome" value="${outcome}"${look && ` class="${look}"`}>${escapeHtml(label)}</button>`
      return page(
        'Is that you?',
        `<p>Your bank asks you to confirm ${what}.</p>
        <form method="post">${choice('pass', 'Confirm')}${choice('fail', 'Refuse', 'other')}</form>`,
      )
    },
  },
  {
    method: 'POST',
    path: '/sandbox/authenticate/:intent',
    access: 'open',
    handle: async (context) => {
      const chosen = context.form.text('outcome')
      const { outcome }: { outcome?: unknown } = chosen ? { outcome: chosen } : parseJson(context.rawBody)
      if (outcome !== 'pass' && outcome !== 'fail') throw invalid("Say { outcome: 'pass' } or { outcome: 'fail' }.", { param: 'outcome' })
      const intent = await settle(context, await findIntent(context), outcome)
      return chosen ? leave(context, intent) : intent
    },
  },
]

async function settle(work: Work, intent: Intent, outcome: 'pass' | 'fail'): Promise<Intent> {
  const { store } = work
  const question = await store.get('hidden.authentication', intent.id)
  if (intent.status !== 'requires_action' || !question || typeof intent.payment_method !== 'string') {
    throw invalid('This intent does not wait for its cardholder.')
  }
  const paymentMethod = intent.payment_method
  await store.put('hidden.authentication', { ...question, state: outcome === 'pass' ? 'passed' : 'failed' })
  if (outcome === 'pass') {
    return intent.object === 'payment_intent'
      ? (await payIntent(work, intent, { paymentMethod, offSession: false, isAuthenticated: true })).intent
      : (await setUp(work, intent, { paymentMethod, isAuthenticated: true })).intent
  }
  const method = await store.need('payment_method', paymentMethod)
  const refused = (code: string): Decline => ({ code, message: NOT_CONFIRMED })
  return intent.object === 'payment_intent'
    ? failPayment(work, intent, method, refused('payment_intent_authentication_failure'))
    : (await refuseSetUp(work, intent, method, refused('setup_intent_authentication_failure'))).intent
}

async function findIntent({ store, params }: Context): Promise<Stripe.PaymentIntent | Stripe.SetupIntent> {
  const id = params['intent'] ?? ''
  const intent = (await store.get('payment_intent', id)) ?? (await store.get('setup_intent', id))
  if (!intent) throw missing('intent', id)
  return intent
}

async function leave({ store }: Work, intent: Intent) {
  const question = await store.get('hidden.authentication', intent.id)
  if (!question?.return_url) return page('Thank you', '<p>You can close this page and go back to the shop.</p>')
  const to = new URL(question.return_url)
  to.searchParams.set(intent.object, intent.id)
  to.searchParams.set(`${intent.object}_client_secret`, intent.client_secret ?? '')
  to.searchParams.set('redirect_status', intent.status === 'requires_payment_method' ? 'failed' : 'succeeded')
  return redirect(to.href)
}
