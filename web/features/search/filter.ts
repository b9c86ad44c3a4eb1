import type { ListingSort, SearchFilter } from '#contract/search.ts'
import { materials, type MaterialId } from '#contract/values/materials.ts'
import { transferMethods, type TransferMethodId } from '#contract/values/transfer-method.ts'
import { penceOf } from '#domain/money.ts'

export const sorts: Record<ListingSort, string> = {
  ending_soonest: 'Ending soonest',
  newest: 'Newest',
  price_low: 'Price, low to high',
  price_high: 'Price, high to low',
  nearest: 'Nearest',
  most_bids: 'Most bids',
}

export const radii = [10, 25, 50, 100, 200] as const
const USUAL_RADIUS = 50

export const endings = { '1h': 'Within an hour', '24h': 'Within 24 hours', '3d': 'Within 3 days', '7d': 'Within a week' } as const
export type Ending = keyof typeof endings

/** What the list is narrowed to. Prices in pounds, as they are typed and as they stand in the address. */
export type Filter = {
  search: string
  material: MaterialId | ''
  transfer: TransferMethodId | null
  from: number | null
  to: number | null
  /** A post code or its district. */
  near: string
  /** Miles round it. */
  within: number
  ending: Ending | ''
  sort: ListingSort
}

export const emptyFilter: Filter = {
  search: '',
  material: '',
  transfer: null,
  from: null,
  to: null,
  near: '',
  within: USUAL_RADIUS,
  ending: '',
  sort: 'ending_soonest',
}

/** How many of them narrow the list, the search text apart. */
export const countNarrowing = ({ material, transfer, from, to, near, ending }: Filter): number =>
  [material !== '', transfer !== null, from !== null, to !== null, near !== '', ending !== ''].filter(Boolean).length

/** From the address; what makes no sense there is as good as absent. */
export const readFilter = (given: Record<string, string | undefined>): Filter => ({
  search: given['search']?.slice(0, SEARCH_MAX) ?? '',
  material: keyIn(materials, given['material']) ?? '',
  transfer: Object.values(transferMethods).find((id) => String(id) === given['transfer']) ?? null,
  from: poundsIn(given['from']),
  to: poundsIn(given['to']),
  near: isPostCode(given['near'] ?? '') ? (given['near'] ?? '') : '',
  within: radii.find((miles) => String(miles) === given['within']) ?? USUAL_RADIUS,
  ending: keyIn(endings, given['ending']) ?? '',
  sort: keyIn(sorts, given['sort']) ?? 'ending_soonest',
})

/** For the address: what is as usual is left out. */
export function writeFilter({ search, material, transfer, from, to, near, within, ending, sort }: Filter): Record<string, string> {
  return {
    ...(search && { search }),
    ...(material && { material }),
    ...(transfer && { transfer: String(transfer) }),
    ...(from !== null && { from: String(from) }),
    ...(to !== null && { to: String(to) }),
    ...(near && { near }),
    ...(near && within !== USUAL_RADIUS && { within: String(within) }),
    ...(ending && { ending }),
    ...(sort !== emptyFilter.sort && { sort }),
  }
}

/** As API.md spells what can be saved. */
export const searchOf = ({ search, material, transfer, from, to, near, within }: Filter): SearchFilter => ({
  ...(search && { 'filter[search]': search }),
  ...(material && { 'filter[material_id]': material }),
  ...(transfer && { 'filter[transfer_method_id]': transfer }),
  ...(from !== null && { 'filter[min_price]': penceOf(from) }),
  ...(to !== null && { 'filter[max_price]': penceOf(to) }),
  ...(near && { 'filter[post_code]': near, 'filter[radius_miles]': within }),
})

export const queryOf = (filter: Filter) => ({
  ...searchOf(filter),
  ...(filter.ending && { 'filter[ending_within]': filter.ending }),
  // nearest to what? Until there is a post code the list keeps its usual order
  sort: filter.sort === 'nearest' && !filter.near ? emptyFilter.sort : filter.sort,
})

/** A saved search, back in the fields. */
export const filterOf = (saved: SearchFilter): Filter => ({
  ...emptyFilter,
  search: saved['filter[search]'] ?? '',
  material: saved['filter[material_id]'] ?? '',
  transfer: saved['filter[transfer_method_id]'] ?? null,
  from: poundsOf(saved['filter[min_price]']),
  to: poundsOf(saved['filter[max_price]']),
  near: saved['filter[post_code]'] ?? '',
  within: saved['filter[radius_miles]'] ?? USUAL_RADIUS,
})

/** What a saved search is called until somebody names it: 'copper cable, Lead, near M1'. */
export const nameOf = ({ search, material, near }: Filter): string =>
  [search, material && materials[material].name, near && `near ${near}`].filter(Boolean).join(', ').slice(0, NAME_MAX) || 'All listings'

/** A district or a whole post code: whether there is such a one is the server's to say. */
export const isPostCode = (text: string): boolean => /^[a-z]{1,2}\d[a-z\d]?(?: ?\d[a-z]{2})?$/i.test(text.trim())

export const SEARCH_MAX = 100
const NAME_MAX = 60
export const PRICE_MAX = 1_000_000

const keyIn = <K extends string>(table: Record<K, unknown>, text: string | undefined): K | undefined =>
  text !== undefined && Object.hasOwn(table, text) ? (text as K) : undefined

const poundsOf = (pence: number | undefined): number | null => (pence === undefined ? null : pence / 100)

function poundsIn(text: string | undefined): number | null {
  const value = text && /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : null
  return value !== null && value <= PRICE_MAX ? value : null
}
