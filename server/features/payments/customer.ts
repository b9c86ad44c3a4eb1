import type { Stripe } from 'stripe'
import type { Db, Tx } from '#server/db/db.ts'
import { lockUser } from '#server/db/user.ts'
import { callKind, keyFor, openCallOf, reserveCall, type Provider } from '#server/features/payments/calls.ts'
import { deleted, leaveProvider, tryLater, type Deletion } from '#server/features/payments/leave.ts'
import { refuse } from '#server/http/errors.ts'
import type { SessionUser } from '#server/http/session.ts'
import { enqueue } from '#server/jobs/queue.ts'

// Who pays: one customer at the provider per user. It holds the cards, the subscription and what is credited.

type CustomerUpdate = { id: string } & CustomerDetails

export const customerCalls = {
  create_customer: callKind<Stripe.CustomerCreateParams, Stripe.Customer>({
    send: (stripe, params, options) => stripe.customers.create(params, options),
    async settle(tx, { user_id }, customer) {
      if (!user_id) throw new Error('a customer is somebody’s')
      await tx.updateTable('users').set({ provider_customer_id: customer.id }).where('id', '=', user_id).execute()
      await tellCustomer(tx, await lockUser(tx, user_id))
      await leaveProvider(tx, user_id)
    },
    async find(stripe, { user_id, created_at }) {
      const since = Math.floor(created_at.getTime() / 1_000) - 60
      for await (const customer of stripe.customers.list({ created: { gte: since }, limit: 100 }))
        if (customer.metadata['user_id'] === user_id) return customer
      return undefined
    },
  }),

  update_customer: callKind<CustomerUpdate, Stripe.Customer>({
    send: (stripe, { id, ...known }, options) => stripe.customers.update(id, known, options),
    settle: async (tx, { user_id }) => tellCustomer(tx, await lockUser(tx, user_id ?? '')),
    async giveBack(tx, { user_id, params }) {
      const user = await lockUser(tx, user_id ?? '')
      // the same would be refused again; what is newer may not be
      if (user && !isSame(params as CustomerUpdate, knownOf(user))) await tellCustomer(tx, user)
    },
    // there is one at a time, so nothing newer was said meanwhile
    find(stripe, { params }) {
      const { id, ...known } = params as CustomerUpdate
      return stripe.customers.update(id, known)
    },
  }),

  delete_customer: callKind<Deletion, Deletion>({
    send: (stripe, { id }, options) => deleted(id, stripe.customers.del(id, {}, options)),
    async settle(tx, { user_id }) {
      // the provider has ended it, and its word of that may be lost
      const rows = await tx
        .selectFrom('subscriptions')
        .select('provider_id')
        .where('user_id', '=', user_id)
        .where('ended_at', 'is', null)
        .execute()
      for (const { provider_id } of rows) if (provider_id) await enqueue(tx, 'look_at_subscription', { provider_id })
    },
    giveBack: tryLater,
    find(stripe, { params }) {
      const { id } = params as Deletion
      return deleted(id, stripe.customers.del(id))
    },
  }),
}

type CustomerDetails = { email: string; name: string }

/** All that the provider is told of a person. */
const knownOf = ({ email, company_name }: SessionUser): CustomerDetails => ({ email, name: company_name })

export async function ensureCustomer({ db, provider }: { db: Db; provider: Provider }, userId: string): Promise<string> {
  const found = await db.transaction().execute(async (tx): Promise<{ customerId: string } | { callId: string }> => {
    const user = await lockUser(tx, userId)
    if (!user || user.erased_at) throw refuse('unauthenticated', 'Please log in.')
    if (user.provider_customer_id) return { customerId: user.provider_customer_id }
    const open = await openCallOf(tx, userId, ['create_customer'])
    if (open) return { callId: open.id }
    const params: Stripe.CustomerCreateParams = { ...knownOf(user), metadata: { user_id: user.id } }
    return { callId: await reserveCall(tx, { kind: 'create_customer', key: await keyFor(tx, `customer:${userId}`), userId, params }) }
  })
  return 'customerId' in found ? found.customerId : provider.finish(found.callId)
}

/**
 * Receipts go to the address that the provider knows. What it was told last is compared with what is so now; while it is being told,
 * nothing is added: whoever settles that comes here again, so the newest is told last.
 */
export async function tellCustomer(tx: Tx, user: SessionUser | undefined): Promise<void> {
  if (!user?.provider_customer_id || user.erased_at) return
  const told = await lastTold(tx, user.id)
  if (told && (told.status === 'pending' || isSame(told.params as CustomerDetails, knownOf(user)))) return
  const params: CustomerUpdate = { id: user.provider_customer_id, ...knownOf(user) }
  await reserveCall(tx, { kind: 'update_customer', userId: user.id, params })
}

const lastTold = (tx: Tx, userId: string) =>
  tx
    .selectFrom('provider_calls')
    .select(['status', 'params'])
    .where('user_id', '=', userId)
    .where('kind', 'in', ['create_customer', 'update_customer'])
    .where('status', '<>', 'refused')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()

const isSame = (one: CustomerDetails, other: CustomerDetails) => one.email === other.email && one.name === other.name
