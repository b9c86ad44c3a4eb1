import { paymentAccountOf, sessionOf } from '#tests/browser/support/database.ts'
import { post, read, sendTo, withCsrf, type Cookies } from '#tests/browser/support/session.ts'

/** Where the payment sandbox is. */
export async function apiBase(cookies: Cookies = {}): Promise<string> {
  const { data } = (await read('/api/v1/config', cookies)) as { data: { stripe: { api_base: string } } }
  return data.stripe.api_base
}

/** What somebody does on the provider's own pages, and our server's look at it. */
export async function completeAccount(email: string, cookies: Cookies): Promise<void> {
  await post('/api/v1/stripe/create-account', cookies)
  const { ok } = await fetch(`${await apiBase()}/sandbox/accounts/${await paymentAccountOf(email)}/complete`, { method: 'POST' })
  const { data } = (await read('/api/v1/stripe/account', cookies)) as { data: { account_completed: boolean } }
  if (!ok || !data.account_completed) throw new Error('the payment account could not be completed')
}

/** The provider takes back what it had verified, and asks for a document. */
export async function unverifyAccount(email: string): Promise<void> {
  await fetch(`${await apiBase()}/sandbox/accounts/${await paymentAccountOf(email)}/unverify`, { method: 'POST' })
}

/** Subscribed to Full with a Visa card, as the page does it, and known to our server. */
export async function subscribe(email: string): Promise<void> {
  const cookies = await withCsrf(await sessionOf(email))
  const { client_secret } = (await sendTo('/api/v1/stripe/subscription', cookies, { plan_id: 'full' })) as { client_secret: string }
  const [id = ''] = client_secret.split('_secret_')
  const card = { number: '4242424242424242', exp_month: '12', exp_year: '2034', cvc: '123' }
  await fetch(`${await apiBase()}/v1/${id.startsWith('seti') ? 'setup' : 'payment'}_intents/${id}/confirm`, {
    method: 'POST',
    body: new URLSearchParams({
      client_secret,
      'payment_method_data[type]': 'card',
      ...Object.fromEntries(Object.entries(card).map(([name, value]) => [`payment_method_data[card][${name}]`, value])),
    }),
  })
  for (;;) {
    const { data } = (await read('/api/v1/stripe/subscription', cookies)) as { data: { status: string } }
    if (data.status !== 'incomplete') return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** A coupon of this test's own. */
export async function newCoupon(terms: object): Promise<string> {
  const code = `T${crypto.randomUUID().slice(0, 8).toUpperCase()}`
  await sendTo('/api/v1/admin/coupons', await withCsrf(await sessionOf('admin@yardbid.test')), { code, ...terms })
  return code
}
