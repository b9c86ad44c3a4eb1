import { paymentAccountOf } from '#tests/browser/support/database.ts'
import { post, read, type Cookies } from '#tests/browser/support/session.ts'

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
