import type { Stripe } from 'stripe'
import type { Db } from '#server/db.ts'
import { callKind, reserveCall, type Provider } from '#server/features/payments/calls.ts'
import { keyFor, openCallOf } from '#server/features/payments/calls-open.ts'
import { refuse } from '#server/http/errors.ts'

// Who pays: one customer at the provider per user. It holds the cards, the subscription and what is credited.

export const customerCalls = {
  create_customer: callKind<Stripe.CustomerCreateParams, Stripe.Customer>({
    send: (stripe, params, options) => stripe.customers.create(params, options),
    async settle(tx, { user_id }, customer) {
      await tx.updateTable('users').set({ provider_customer_id: customer.id }).where('id', '=', user_id).execute()
    },
    async find(stripe, { user_id, created_at }) {
      const since = Math.floor(created_at.getTime() / 1_000) - 60
      for await (const customer of stripe.customers.list({ created: { gte: since }, limit: 100 }))
        if (customer.metadata['user_id'] === user_id) return customer
      return undefined
    },
  }),
}

export async function ensureCustomer({ db, provider }: { db: Db; provider: Provider }, userId: string): Promise<string> {
  const found = await db.transaction().execute(async (tx): Promise<{ customerId: string } | { callId: string }> => {
    const user = await tx.selectFrom('users').selectAll().where('id', '=', userId).forUpdate().executeTakeFirst()
    if (!user || user.erased_at) throw refuse('unauthenticated', 'Please log in.')
    if (user.provider_customer_id) return { customerId: user.provider_customer_id }
    const open = await openCallOf(tx, userId, ['create_customer'])
    if (open) return { callId: open.id }
    const params: Stripe.CustomerCreateParams = { email: user.email, name: user.company_name, metadata: { user_id: user.id } }
    return { callId: await reserveCall(tx, { kind: 'create_customer', key: await keyFor(tx, `customer:${userId}`), userId, params }) }
  })
  return 'customerId' in found ? found.customerId : provider.finish(found.callId)
}
