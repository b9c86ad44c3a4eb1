import assert from 'node:assert/strict'
import type { Client } from '#tests/support/client.ts'
import { signUp } from '#tests/support/people.ts'
import { payWithCard } from '#tests/support/payments/stripe.ts'
import { compareCash, compareWithProvider } from '#server/features/payments/ledger.ts'
import { closeSound, type Yard } from '#tests/support/yard.ts'

// What a person does with the payment provider, as a browser would.

export type Payer = { client: Client; id: string; email: string }

export const GOOD_CARD = '4242424242424242'

/** Somebody who has signed up, and whose account at the provider is there. */
export async function newPayer(yard: Yard, changes: Record<string, unknown> = {}): Promise<Payer> {
  const payer = await signUp(yard, changes)
  await yard.jobsDone()
  return payer
}

export const userRow = async (yard: Yard, id: string) => (await yard.owner.query('select * from users where id = $1', [id])).rows[0]

export async function bankCall(yard: Yard, method: string, path: string, body?: object): Promise<any> {
  const headers = body ? { 'content-type': 'application/json' } : {}
  const answer = await fetch(`${yard.bank.url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  assert.ok(answer.ok, `${method} ${path}: ${answer.status}`)
  return answer.json()
}

export const faults = (yard: Yard, wanted: object) => bankCall(yard, 'POST', '/sandbox/faults', wanted)
export const noFaults = (yard: Yard) => bankCall(yard, 'DELETE', '/sandbox/faults')

/** Confirms what the server asked for, with a card that works unless another is named; everything that follows is applied. */
export async function confirm(yard: Yard, clientSecret: string, card = GOOD_CARD): Promise<any> {
  const { intent, error } = await payWithCard(yard.bank, clientSecret, card)
  assert.equal(error, undefined)
  await yard.bankSettled()
  return intent
}

export const me = async (client: Client) => (await client.get('/api/v1/auth/me')).body.data
export const subscriptionOf = async (client: Client) => (await client.get('/api/v1/stripe/subscription')).body.data

/** A trial or a month, paid with a card that works. */
export async function subscribed(yard: Yard, payer: Payer, body: object = {}): Promise<void> {
  const { status, body: answer } = await payer.client.post('/api/v1/stripe/subscription', body)
  assert.equal(status, 201, JSON.stringify(answer))
  if (answer.client_secret) await confirm(yard, answer.client_secret)
  assert.equal((await me(payer.client)).subscription.tier, 'full')
}

export const setSetting = (yard: Yard, key: string, value: unknown) =>
  yard.owner.query('insert into settings (key, value) values ($1, $2) on conflict (key) do update set value = excluded.value', [
    key,
    JSON.stringify(value),
  ])

/** Everything that the provider has of a kind, as the SDK lists it. */
export const allOf = <T extends { id: string }>(list: { autoPagingToArray(options: { limit: number }): Promise<T[]> }) =>
  list.autoPagingToArray({ limit: 10_000 })

/** 30: the ledger's clearing account is the provider's balance, and nothing else that must always hold is broken. */
export async function closeBalanced(yard: Yard): Promise<void> {
  try {
    await yard.bankSettled()
    const { ledger, provider } = await compareWithProvider(yard.owner, yard.payment.stripe)
    assert.equal(ledger, provider, 'the clearing account and the provider’s balance')
    const cash = await compareCash(yard.owner, yard.payment.stripe)
    assert.equal(cash.ledger, cash.provider, 'the cash account and the buyers’ cash balances')
  } finally {
    await closeSound(yard)
  }
}

/** What the accounts hold, without those that hold nothing. */
export async function accountsOf(yard: Yard): Promise<Record<string, number>> {
  const { rows } = await yard.owner.query<{ account: string; amount: number }>(
    'select account, sum(amount)::int as amount from ledger_entries group by account having sum(amount) <> 0 order by account',
  )
  return Object.fromEntries(rows.map(({ account, amount }) => [account, amount]))
}
