import type Stripe from 'stripe'

/** The one item that a subscription here has. */
export function itemOf({ items }: Stripe.Subscription): Stripe.SubscriptionItem {
  const item = items.data[0]
  if (!item) throw new Error('A subscription has one item')
  return item
}

export function periodOf(subscription: Stripe.Subscription): { start: number; end: number } {
  const { current_period_start: start, current_period_end: end } = itemOf(subscription)
  return { start, end }
}

export function withItem(subscription: Stripe.Subscription, change: Partial<Stripe.SubscriptionItem>): Pick<Stripe.Subscription, 'items'> {
  return { items: { ...subscription.items, data: [{ ...itemOf(subscription), ...change }] } }
}
