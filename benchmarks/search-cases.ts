import { materials, type MaterialId } from '#contract/values/materials.ts'
import type { Spot } from '#domain/search/uk-map.ts'
import { spotOfPostCode } from '#server/features/search/districts.ts'
import type { Search } from '#server/features/search/search-sql.ts'
import { outcodes, rareWords } from '#benchmarks/search-market.ts'

/** `make` is deterministic: each number has a search of its own, the same in every run. */
export type Case = { name: string; isCombination?: boolean; isOrder?: boolean; make: (nth: number) => Search }

/** A pseudo-random share between 0 and 1, the same for the same number and purpose. */
function dice(nth: number, purpose: number): number {
  const mixed = Math.imul(nth * 2_654_435_761 + purpose * 40_503, 0x9e3779b1) ^ (nth << 7)
  return ((Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b) >>> 0) % 100_003) / 100_003
}
const pick = <T>(from: readonly T[], nth: number, purpose: number): T => from[Math.floor(dice(nth, purpose) * from.length)] as T

const materialIds = Object.keys(materials) as MaterialId[]
const common = [
  'copper',
  'cable',
  'steel',
  'aluminium',
  'sheet',
  'brass',
  'weighbridge',
  'factory',
  'pallet',
  'clean dry',
  'copper pipe',
  'alloy wheels',
  'lathe',
]
const radii = [2, 5, 10, 15, 25, 50, 100]

const material = (nth: number) => ({ material_id: pick(materialIds, nth, 1) })
const transfer = (nth: number) => ({ transfer_method_id: 1 + (nth % 2) })
const words = (nth: number) => ({ text: nth % 3 === 0 ? pick(common, nth, 2) : pick(rareWords, nth, 3).word })
const radius = (nth: number) => ({ near: spotOfPostCode(pick(outcodes, nth, 4)) as Spot, radius_miles: pick(radii, nth, 5) })
const prices = (nth: number) => {
  const min_price = Math.round(2000 * 2500 ** dice(nth, 6))
  return { min_price, max_price: Math.round(min_price * (1 + 3 * dice(nth, 7) ** 2)) }
}
const ending = (nth: number) => ({ ending_within: pick(['2h', '6h', '24h', '3d', '7d'], nth, 8) })
const soonest = { sort: 'ending_soonest' } as const

export const cases: readonly Case[] = [
  { name: 'ending_soonest', isOrder: true, make: () => soonest },
  { name: 'newest', isOrder: true, make: () => ({ sort: 'newest' }) },
  { name: 'price_low', isOrder: true, make: () => ({ sort: 'price_low' }) },
  { name: 'price_high', isOrder: true, make: () => ({ sort: 'price_high' }) },
  { name: 'most_bids', isOrder: true, make: () => ({ sort: 'most_bids' }) },
  { name: 'nearest', isOrder: true, make: (nth) => ({ near: radius(nth).near, sort: 'nearest' }) },
  { name: 'text', make: (nth) => ({ ...words(nth), ...soonest }) },
  { name: 'text, rare', make: (nth) => ({ text: pick(rareWords.slice(16), nth, 9).word, ...soonest }) },
  { name: 'text, unfinished', make: (nth) => ({ text: pick(['copp', 'cab', 'alum', 'weigh', 'lat', 'stain'], nth, 10), ...soonest }) },
  { name: 'text, no match', make: (nth) => ({ text: `nothing${nth}`, ...soonest }) },
  { name: 'material', make: (nth) => ({ ...material(nth), ...soonest }) },
  { name: 'transfer', make: (nth) => ({ ...transfer(nth), ...soonest }) },
  { name: 'price', make: (nth) => ({ ...prices(nth), ...soonest }) },
  { name: 'radius', make: (nth) => ({ ...radius(nth), ...soonest }) },
  { name: 'ending within', make: (nth) => ({ ...ending(nth), ...soonest }) },
  ...(
    [
      ['radius + text', (nth) => ({ ...radius(nth), ...words(nth), ...soonest })],
      ['radius + material', (nth) => ({ ...radius(nth), ...material(nth), ...soonest })],
      ['radius + material, newest', (nth) => ({ ...radius(nth), ...material(nth), sort: 'newest' })],
      ['radius + price, price_low', (nth) => ({ ...radius(nth), ...prices(nth), sort: 'price_low' })],
      ['text + material + price', (nth) => ({ ...words(nth), ...material(nth), ...prices(nth), ...soonest })],
      ['text + price, price_low', (nth) => ({ ...words(nth), ...prices(nth), sort: 'price_low' })],
      ['text, nearest', (nth) => ({ ...words(nth), near: radius(nth).near, sort: 'nearest' })],
      ['material + price, nearest', (nth) => ({ ...material(nth), ...prices(nth), near: radius(nth).near, sort: 'nearest' })],
      ['radius + text + price + transfer', (nth) => ({ ...radius(nth), ...words(nth), ...prices(nth), ...transfer(nth), ...soonest })],
      ['material + ending within, most_bids', (nth) => ({ ...material(nth), ...ending(nth), sort: 'most_bids' })],
      [
        'everything',
        (nth) => ({ ...radius(nth), ...words(nth), ...material(nth), ...prices(nth), ...transfer(nth), ...ending(nth), ...soonest }),
      ],
      ['no match at all', (nth) => ({ ...radius(nth), text: `copper nothing${nth}`, ...prices(nth), sort: 'newest' })],
    ] satisfies [string, (nth: number) => Search][]
  ).map(([name, make]): Case => ({ name, isCombination: true, make })),
]
