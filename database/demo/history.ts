import { randomUUID } from 'node:crypto'
import { settings } from '#contract/settings.ts'
import type { ListingStatus } from '#contract/values/listing-status.ts'
import type { DemoStanding, Outcome, Times } from '#database/demo/bids.ts'
import type { DemoListing } from '#database/demo/listing.ts'
import { owed } from '#domain/money.ts'

type Given = Times & { standings: DemoStanding[]; outcome: Outcome }
type Step = [step: string, to: ListingStatus, actor: 'seller' | 'admin' | 'time', at: Date, details?: object]
type Sequel = {
  steps: Step[]
  /** What becomes of the bids: the leader's and, where an offer goes past it, the one behind. */
  leader?: string
  runnerUp?: string
  others?: string
  awards?: ('leader_offered' | 'leader_cancelled' | 'runner_up_offered')[]
  kyc_status?: 'failed'
}

const HOUR_MS = 3_600_000

/** The steps of a listing from Processing, and what they left behind, in the shape in which the server writes them. */
export function historyOf(listing: DemoListing, { id, people, began, ends, now, standings, outcome }: Given) {
  const ago = (hours: number) => new Date(now.getTime() - hours * HOUR_MS)
  const sequel: Sequel = listing.since ? sequels[listing.since](ends, ago) : { steps: [] }
  const isSubmitted = listing.since === 'just_submitted'
  const started: Step[] = [
    ['submit', 'Processing', 'seller', began],
    ['ready', 'Active', 'time', began],
  ]
  const steps: Step[] = isSubmitted ? [['submit', 'Processing', 'seller', now]] : [...started, ...sequel.steps]
  const actors = { seller: people.get(listing.by)?.id, admin: people.get('admin')?.id, time: undefined }

  const behind = standings.filter(({ bidder_id }) => bidder_id !== outcome.leader_id).sort((a, b) => b.max_amount - a.max_amount)
  for (const standing of standings) {
    const status = standing.bidder_id === outcome.leader_id ? sequel.leader : standing === behind[0] ? sequel.runnerUp : undefined
    standing.status = status ?? sequel.others ?? standing.status
  }
  const [, basis, weight_kg] = listing.price
  const award = (bidder_id: unknown, bid_id: unknown, price: number, status: string, created_at = steps.at(-1)?.[3]) => ({
    id: randomUUID(),
    listing_id: id,
    bidder_id,
    bid_id,
    price,
    status,
    charges_vat: true,
    vat_rate: settings.vat_rate.default,
    ...owed(price, { basis, weight_kg, vatRate: settings.vat_rate.default, isVatRegistered: true }),
    created_at,
  })
  const awards = {
    leader_offered: () => award(outcome.leader_id, outcome.leading_bid_id, outcome.current_price ?? 0, 'offered'),
    leader_cancelled: () => award(outcome.leader_id, outcome.leading_bid_id, outcome.current_price ?? 0, 'cancelled', ends),
    runner_up_offered: () => award(behind[0]?.bidder_id, behind[0]?.latest_bid_id, behind[0]?.max_amount ?? 0, 'offered'),
  }
  return {
    status: steps.at(-1)?.[1],
    former_status: listing.since === 'has_issue' ? steps.at(-2)?.[1] : null,
    entered_at: steps.at(-1)?.[3],
    kyc_status: sequel.kyc_status ?? null,
    times: isSubmitted
      ? { starts_at: null, created_at: now, expires_at: null, first_expires_at: null }
      : { starts_at: began, created_at: began, expires_at: ends, first_expires_at: ends },
    standings,
    awards: (sequel.awards ?? []).map((which) => awards[which]()),
    events: steps.map(([step, to_status, actor, at, details = {}], nth) => ({
      listing_id: id,
      seq: nth + 1,
      step,
      from_status: steps[nth - 1]?.[1] ?? null,
      to_status,
      actor,
      actor_id: actors[actor] ?? null,
      details,
      at,
    })),
  }
}

const sequels: Record<NonNullable<DemoListing['since']>, (ends: Date, ago: (hours: number) => Date) => Sequel> = {
  just_submitted: () => ({ steps: [] }),
  withdrawn: (_ends, ago) => ({ steps: [['withdraw', 'Expired', 'seller', ago(5)]], others: 'Closed' }),
  has_issue: (_ends, ago) => ({
    steps: [
      [
        'raise_issue',
        'HasAdminIssue',
        'admin',
        ago(3),
        { reason: 'The photos show burnt wire, the title says tube. We have asked the seller.' },
      ],
    ],
  }),
  removed: (_ends, ago) => ({
    steps: [
      ['remove', 'RemovedByAdmin', 'admin', ago(20), { reason: 'Pipe with a council’s name on it: no proof of where it came from.' }],
    ],
    others: 'Closed',
  }),
  offered_at_reservation_price: (ends, ago) => ({
    steps: [
      ['end_below_reservation', 'Expired', 'time', ends],
      ['offer_to_highest_bidder', 'ReservationPrice', 'seller', ago(1)],
    ],
    leader: 'OfferedToYouAtReservationPrice',
    awards: ['leader_offered'],
  }),
  offered_to_next_bidder: (ends, ago) => ({
    steps: [
      ['end_sold', 'AwaitingKYC', 'time', ends],
      ['kyc_lapsed', 'NextBidder', 'time', ago(2)],
    ],
    leader: 'Closed',
    runnerUp: 'OfferedToYou',
    awards: ['leader_cancelled', 'runner_up_offered'],
    kyc_status: 'failed',
  }),
}
