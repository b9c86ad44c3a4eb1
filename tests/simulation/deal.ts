import { randomUUID } from 'node:crypto'
import type { ListingStatus } from '#contract/values/listing-status.ts'
import { transferMethods } from '#contract/values/transfer-method.ts'
import type { Merchant } from '#tests/support/auctions/sale.ts'
import { photo } from '#tests/support/files/made-files.ts'
import { uploadUntilKept } from '#tests/support/files/stores.ts'
import { newBuyer, newSeller } from '#tests/simulation/people.ts'
import { needsCard, themeFor, themes, transferFor, type Goal, type Theme } from '#tests/simulation/goals.ts'
import type { World } from '#tests/simulation/world.ts'
import type { Random } from '#tests/support/random.ts'

// One deal of a simulation: a listing that is really listed, and bids that are really made.

export type Deal = {
  id: string
  /** Of its own: what one deal does does not depend on how fast the others are. */
  random: Random
  theme: Theme
  /** The row that it is led to, if any. */
  goal: Goal | null
  seller: Merchant
  bidders: Merchant[]
  /** Where nobody does anything until time has moved it on. */
  sleepsIn: ListingStatus | null
  /** Steps that are still tried once the listing has come to an end. */
  afterlife: number
}

/** As the rows say that it stands: which player's turn it could be. */
export type Standing = {
  id: string
  status: ListingStatus
  buyer_id: string | null
  leader_id: string | null
  bid_count: number
  /** The steps that it has taken, each with the status before it. */
  taken: string[]
}

const HOUR = 3_600_000

export type Start = { nth: number; random: Random; goal: Goal | null }

export async function startDeal(world: World, { nth, random, goal }: Start): Promise<Deal | undefined> {
  const theme = goal ? themeFor(goal, random) : (themes[nth % themes.length] ?? 'plain')
  const isForCard = goal !== null && needsCard(goal)
  const seller = await sellerFor(world, random, theme)
  const client = await world.clientFor(seller)
  const picture = await uploadUntilKept(client, { bytes: await smallPhoto(), mime_type: 'image/jpeg' })
  const isByTonne = !isForCard && random.between(1, 3) === 1
  const start_price = isByTonne ? random.between(5_000, 60_000) : random.between(100, isForCard ? 40_000 : 400_000)
  const { server_time } = (await client.get('/api/v1/config')).body.data
  const form = {
    title: `Bright copper wire, load ${random.between(1, 9_999)}`,
    description: 'Clean and dry',
    material_id: 'copper_bright',
    price_basis: isByTonne ? 'tonne' : 'lot',
    ...((isByTonne || random.between(1, 3) > 1) && { weight_kg: random.between(300, 9_000) }),
    start_price,
    ...(theme === 'below_reservation' && { reservation_price: start_price * 20 }),
    ...(theme === 'next_bidder' && { reservation_price: Math.round(start_price * 1.5) }),
    expires_at: new Date(Date.parse(server_time) + random.between(2, 20) * HOUR).toISOString(),
    transfer_method_id: (goal && transferFor(goal)) ?? random.oneOf([transferMethods.Collection, transferMethods.Delivery]),
    use_default_address: true,
    media: [picture.id],
    accepts_deferred_payment: ['deferred', 'overdue'].includes(theme) || random.between(1, 4) === 1,
    extends_on_late_bids: random.between(1, 2) === 1,
    seller_invoices: theme === 'invoice',
  }
  // as the browser does: whoever heard no answer sends it again, and lists once
  const answer = await client.post('/api/v1/listings', form, { 'idempotency-key': randomUUID() })
  if (answer.status !== 201) {
    world.faults.push(`a listing was refused: ${answer.status} ${JSON.stringify(answer.body)}`)
    return undefined
  }
  const bidders = await biddersFor(world, random, theme)
  return {
    id: answer.body.data.id,
    random,
    theme,
    goal,
    seller,
    bidders,
    sleepsIn: null,
    afterlife: goal || ['below_reservation', 'media'].includes(theme) ? 5 : random.between(0, 2),
  }
}

let made: Promise<Buffer> | undefined
const smallPhoto = () => (made ??= photo(120, 80))

async function sellerFor(world: World, random: Random, theme: Theme): Promise<Merchant> {
  if (theme === 'kyc_seller') return newSeller(world, { isComplete: false })
  if (theme === 'vat') {
    const vat_number = `GB${random.between(1_000_000, 9_999_999)}00`
    return newSeller(world, { changes: { vat_number, vat_status: 'failed' } })
  }
  // whoever owes us something lists nothing until it is paid
  const { rows } = await world.yard.owner.query<{ id: string }>(
    'select id from users where id = any($1::uuid[]) and listing_blocked_reason is null order by id',
    [world.sellers.map(({ id }) => id)],
  )
  const free = world.sellers.filter(({ id }) => rows.some((row) => row.id === id))
  if (free.length > 0) return random.oneOf(free)
  const another = await newSeller(world)
  world.sellers.push(another)
  return another
}

const counts: Partial<Record<Theme, number>> = { no_bid: 0, media: 0, next_bidder: 4 }

async function biddersFor(world: World, random: Random, theme: Theme): Promise<Merchant[]> {
  if (theme === 'suspended') return [await newBuyer(world)]
  const count = counts[theme] ?? random.between(1, 3)
  const { rows } = await world.yard.owner.query<{ id: string }>(
    'select id from users where id = any($1::uuid[]) and bidding_blocked_reason is null order by id',
    [world.buyers.map(({ id }) => id)],
  )
  const free = world.buyers.filter(({ id }) => rows.some((row) => row.id === id))
  const chosen = new Set<Merchant>()
  while (chosen.size < count) chosen.add(free.length > count ? random.oneOf(free) : await newBuyer(world))
  return theme === 'kyc_buyer' ? [...chosen, await newBuyer(world, { isVerified: false })] : [...chosen]
}

/** Everybody who wants it bids, the last one the most. */
export async function placeBids(world: World, { id, theme, bidders, random }: Deal): Promise<void> {
  for (const [nth, bidder] of bidders.entries()) {
    const client = await world.clientFor(bidder)
    const { minimum_bid, status } = (await client.get(`/api/v1/listings/${id}`)).body.data
    if (status.name !== 'Active') return
    const most = theme === 'next_bidder' && nth === 0 ? 0 : minimum_bid.value
    const answer = await client.post(`/api/v1/listings/${id}/bids`, { amount: minimum_bid.value + random.between(0, most) })
    // a listing that has ended meanwhile, or somebody who was blocked a moment ago
    if (![201, 403, 409].includes(answer.status)) world.faults.push(`a bid was refused: ${answer.status} ${JSON.stringify(answer.body)}`)
  }
}

export async function readStandings({ yard }: World, deals: readonly Deal[]): Promise<Map<string, Standing>> {
  const { rows } = await yard.owner.query<Standing>(
    `select l.id, l.status, l.leader_id, l.bid_count, array(
       select e.step || ' ' || coalesce(e.from_status, '') from listing_events e where e.listing_id = l.id
     ) as taken, (
       select a.bidder_id from awards a where a.listing_id = l.id and a.status in ('offered', 'pending_payment', 'paid')
     ) as buyer_id
     from listings l
     where l.id = any($1::uuid[])`,
    [deals.map(({ id }) => id)],
  )
  return new Map(rows.map((row) => [row.id, row]))
}
