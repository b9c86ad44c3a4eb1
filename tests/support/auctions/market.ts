import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { listingSorts } from '#contract/search.ts'
import { mapSpot, milesBetween, type Spot } from '#domain/search/uk-map.ts'
import { newListing } from '#tests/support/auctions/auction.ts'

// A market of random listings, and what a search of it must find, worked out the plain way.

export type Goods = {
  id: string
  words: string[]
  material_id: string
  transfer_method_id: number
  price: number
  bid_count: number
  spot: Spot
  createdAt: number
  endsAt: number
}

type Sort = (typeof listingSorts)[number]

export type Wanted = {
  text?: string
  material_id?: string
  transfer_method_id?: number
  min_price?: number
  max_price?: number
  near?: Spot
  radius_miles?: number
  endingWithinHours?: number
  sort: Sort
}

// words that English grammar leaves as they are, none the beginning of another
export const words = ['tank', 'drum', 'bolt', 'gasket', 'skip', 'ingot', 'rotor', 'girder']
export const materialIds = ['brass', 'lead', 'zinc', 'stainless'] as const
const spots = [
  { post_code: 'M1 4BT', town: 'Manchester', latitude: 53.48, longitude: -2.24 },
  { post_code: 'S9 3TY', town: 'Sheffield', latitude: 53.4, longitude: -1.41 },
  { post_code: 'LS1 4AP', town: 'Leeds', latitude: 53.79, longitude: -1.55 },
  { post_code: 'B11 2AA', town: 'Birmingham', latitude: 52.46, longitude: -1.86 },
  { post_code: 'G51 4BB', town: 'Glasgow', latitude: 55.86, longitude: -4.32 },
  { post_code: 'SA1 8QY', town: 'Swansea', latitude: 51.62, longitude: -3.93 },
]

const HOUR = 3_600_000

/** `dice` answers a whole number below its argument. Few prices, counts, spots and ends, so that there are many ties. */
export async function newGoods(
  owner: pg.ClientBase,
  people: { seller: string; bidder: string },
  dice: (sides: number) => number,
): Promise<Goods> {
  const some = words.filter(() => dice(3) === 0)
  const spot = spots[dice(spots.length)] ?? spots[0]
  const bid_count = dice(4)
  const price = (1 + dice(40)) * 25_00
  const { rows } = await owner.query<{ now: Date }>(`select date_trunc('hours', app_now()) as now`)
  const hour = rows[0]?.now.getTime() ?? 0
  const endsAt = hour + (2 + dice(300)) * HOUR
  const createdAt = hour - dice(50) * HOUR
  const material_id = materialIds[dice(materialIds.length)] ?? 'brass'
  const transfer_method_id = 1 + dice(2)
  const id = await newListing(owner, people.seller, {
    title: some.slice(0, 2).join(' ') || 'Things',
    description: some.slice(2).join(', ') || 'As seen',
    material_id,
    transfer_method_id,
    start_price: price,
    created_at: new Date(createdAt),
    expires_at: new Date(endsAt),
    first_expires_at: new Date(endsAt),
    ...spot,
    bid_count,
    ...(bid_count > 0 && { current_price: price, leader_max: price, leader_id: people.bidder, leading_bid_id: randomUUID() }),
  })
  return {
    id,
    words: [...some, material_id],
    material_id,
    transfer_method_id,
    price,
    bid_count,
    spot: mapSpot(spot?.latitude ?? 0, spot?.longitude ?? 0),
    createdAt,
    endsAt,
  }
}

const keys: Record<Sort, (goods: Goods, wanted: Wanted) => number> = {
  ending_soonest: ({ endsAt }) => endsAt,
  newest: ({ createdAt }) => -createdAt,
  price_low: ({ price }) => price,
  price_high: ({ price }) => -price,
  nearest: ({ spot }, { near }) => (near ? milesBetween(spot, near) : 0),
  most_bids: ({ bid_count }) => -bid_count,
}
const isDescending: Partial<Record<Sort, true>> = { newest: true, price_high: true, most_bids: true }

/** Their ids, in order. */
export function found(market: readonly Goods[], wanted: Wanted, now: number): string[] {
  const { text, material_id, transfer_method_id, min_price = 0, max_price = Infinity, near, radius_miles, endingWithinHours, sort } = wanted
  const key = keys[sort]
  const tie = isDescending[sort] ? -1 : 1
  return market
    .filter(
      (goods) =>
        goods.endsAt > now &&
        (text === undefined || hasWords(goods, text.split(' '))) &&
        (material_id === undefined || goods.material_id === material_id) &&
        (transfer_method_id === undefined || goods.transfer_method_id === transfer_method_id) &&
        goods.price >= min_price &&
        goods.price <= max_price &&
        (near === undefined || radius_miles === undefined || milesBetween(near, goods.spot) <= radius_miles) &&
        (endingWithinHours === undefined || goods.endsAt <= now + endingWithinHours * HOUR),
    )
    .sort((one, other) => key(one, wanted) - key(other, wanted) || (one.id < other.id ? -tie : tie))
    .map(({ id }) => id)
}

/** The last one may still be being typed. */
const hasWords = ({ words: said }: Goods, wanted: string[]) =>
  wanted.every((word, nth) => (nth === wanted.length - 1 ? said.some((each) => each.startsWith(word)) : said.includes(word)))
