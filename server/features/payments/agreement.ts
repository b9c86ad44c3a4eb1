import type pg from 'pg'
import type { Stripe } from 'stripe'

/** 30: the clearing account is the provider's balance to the penny, once everything that the provider said was applied. */
export async function compareWithProvider(client: pg.ClientBase, stripe: Stripe): Promise<{ ledger: number; provider: number }> {
  const { rows } = await client.query<{ total: string }>(
    `select coalesce(sum(amount), 0) as total from ledger_entries where account = 'provider_clearing'`,
  )
  const { available, pending } = await stripe.balance.retrieve()
  const pounds = [...available, ...pending].filter(({ currency }) => currency === 'gbp')
  return { ledger: Number(rows[0]?.total ?? 0), provider: pounds.reduce((sum, { amount }) => sum + amount, 0) }
}
