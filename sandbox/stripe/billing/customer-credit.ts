import type Stripe from 'stripe'
import { mergeMetadata } from '#sandbox/stripe/http/form.ts'
import { listOf } from '#sandbox/stripe/engine/lists.ts'
import type { Route, Work } from '#sandbox/stripe/engine/route.ts'
import { newId } from '#sandbox/stripe/engine/store.ts'

type Movement = Pick<Stripe.CustomerBalanceTransaction, 'amount' | 'currency' | 'type'> &
  Partial<Pick<Stripe.CustomerBalanceTransaction, 'invoice' | 'description' | 'metadata'>>

const path = '/v1/customers/:customer/balance_transactions'

export const customerCreditRoutes: Route[] = [
  {
    method: 'POST',
    path,
    handle: async (context) => {
      const { store, params, form } = context
      const customer = await store.need('customer', params['customer'] ?? '')
      return moveBalance(context, customer, {
        amount: Number(form.required('amount')),
        currency: form.required('currency').toLowerCase(),
        type: 'adjustment',
        description: form.text('description') ?? null,
        metadata: mergeMetadata({}, form.map('metadata')),
      })
    },
  },
  {
    method: 'GET',
    path,
    handle: async (context) => {
      const { id: customer } = await context.store.need('customer', context.params['customer'] ?? '')
      const invoice = context.form.text('invoice')
      return listOf(context, 'customer_balance_transaction', { customer, ...(invoice && { invoice }) })
    },
  },
  {
    method: 'GET',
    path: `${path}/:id`,
    handle: ({ store, params }) => store.need('customer_balance_transaction', params['id'] ?? ''),
  },
]

/** Changes what a customer has (below zero) or owes (above): each change is a row of its own. */
export async function moveBalance(work: Work, customer: Stripe.Customer, movement: Movement): Promise<Stripe.CustomerBalanceTransaction> {
  const ending_balance = customer.balance + movement.amount
  const changed = await work.store.put('customer', { ...customer, balance: ending_balance, currency: movement.currency })
  const transaction = await work.store.put('customer_balance_transaction', {
    id: newId('cbtxn'),
    object: 'customer_balance_transaction',
    checkout_session: null,
    created: work.now,
    credit_note: null,
    customer: customer.id,
    customer_account: null,
    description: null,
    ending_balance,
    invoice: null,
    livemode: false,
    metadata: {},
    ...movement,
  })
  await work.emit('customer.updated', changed, { previous: { balance: customer.balance } })
  return transaction
}
