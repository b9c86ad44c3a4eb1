import type { ListingStatus } from '#contract/values/listing-status.ts'
import { recount, type ModelLife } from '#tests/support/sales/model-life.ts'
import type { Random } from '#tests/support/random.ts'

// What happens to a listing of the model without a step: bids, checks, money, chargebacks, and time that passes.

type Happening = (life: ModelLife, random: Random) => void

/** One thing that can happen to the listing where it stands now, if there is one. */
export function happens(life: ModelLife, random: Random): void {
  const possible = life.status === null ? [] : [...(byStatus[life.status] ?? []), ...chargebacks(life), passTime, passTime]
  if (possible.length > 0) random.oneOf(possible)(life, random)
  recount(life)
}

const payments: readonly Happening[] = [
  (life) => arrives(life, life.facts.due),
  (life, random) => arrives(life, random.between(1, Math.max(1, life.facts.due))),
  // the provider has given up a payment that was on its way
  ({ facts }) => void (facts.payment_under_way = false),
]

function arrives({ facts }: ModelLife, amount: number): void {
  facts.paid += amount
  facts.payment_under_way = false
}

const byStatus: Partial<Record<ListingStatus, readonly Happening[]>> = {
  Processing: [({ facts }, random) => void (facts.media = random.between(1, 20) === 1 ? 'flagged' : 'fine')],
  Active: [bid, bid, bid],
  AwaitingKYC: [({ facts }) => void (facts.buyer_verified = true), ({ facts }) => void (facts.seller_verified = true)],
  AwaitingVatNumberVerification: [({ facts }) => void (facts.vat = 'settled')],
  PendingPayment: payments,
  BalanceDue: payments,
  DeferredPayment: payments,
  DocumentsRequired: [({ facts }) => void (facts.buyer_licensed = true)],
}

function bid({ facts, others }: ModelLife, random: Random): void {
  if (facts.bid_count > 0) others.unshift(facts.reservation_met)
  facts.bid_count += 1
  if (facts.reservation_price === null || random.between(1, 3) === 1) facts.reservation_met = true
}

function chargebacks({ facts }: ModelLife): Happening[] {
  if (facts.dispute !== null) return []
  if (facts.dispute_open) {
    return [
      () => void Object.assign(facts, { dispute_open: false, dispute: 'won' }),
      () => void Object.assign(facts, { dispute_open: false, dispute: 'lost', paid: 0 }),
    ]
  }
  return facts.paid > 0 ? [() => void Object.assign(facts, { dispute_open: true, dispute: 'opened' })] : []
}

/** To the next moment at which something is due. */
function passTime({ facts, moments }: ModelLife): void {
  const now = facts.now.getTime()
  const coming = [...Object.values(facts.due_at), facts.slot, facts.eta].flatMap((at) => (at && at.getTime() >= now ? [at.getTime()] : []))
  const next = coming.length > 0 ? Math.min(...coming) : (moments.entered ?? now)
  facts.now = new Date(Math.max(now, next) + 1)
}
