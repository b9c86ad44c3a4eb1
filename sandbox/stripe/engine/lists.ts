import type Stripe from 'stripe'
import { invalid } from '#sandbox/stripe/http/errors.ts'
import type { Shown } from '#sandbox/stripe/engine/kinds.ts'
import type { Context } from '#sandbox/stripe/engine/route.ts'
import type { CreatedRange, Where } from '#sandbox/stripe/engine/store.ts'

/** A page of Stripe's list of one kind, as limit, starting_after, ending_before and created ask. */
export async function listOf<Kind extends keyof Shown>(
  { store, form, url }: Context,
  kind: Kind,
  where: Where = {},
): Promise<Stripe.ApiList<Shown[Kind]>> {
  const limit = form.integer('limit') ?? 10
  if (limit < 1 || limit > 100) throw invalid('Limit must be between 1 and 100', { param: 'limit' })
  const startingAfter = form.text('starting_after')
  const endingBefore = form.text('ending_before')
  if (startingAfter) await store.need(kind, startingAfter, 'starting_after')
  if (endingBefore) await store.need(kind, endingBefore, 'ending_before')
  const range = form.child('created')
  const created: CreatedRange = {}
  for (const bound of ['gt', 'gte', 'lt', 'lte'] as const) {
    const at = range?.integer(bound)
    if (at !== undefined) created[bound] = at
  }
  const page = await store.page(kind, { where, limit, startingAfter, endingBefore, created })
  return { object: 'list', ...page, url: url.pathname }
}

export const emptyList = <Item>(url: string): Stripe.ApiList<Item> => ({ object: 'list', data: [], has_more: false, url })
