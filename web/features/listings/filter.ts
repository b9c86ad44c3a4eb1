import { materials, type MaterialId } from '#contract/materials.ts'
import { transferMethods, type TransferMethodId } from '#contract/transfer-method.ts'
import { penceOf } from '#web/money.ts'

export const sorts = { ending_soonest: 'Ending soonest', newest: 'Newest' } as const
export type Sort = keyof typeof sorts

/** What the list is narrowed to. Prices in pounds, as they are typed and as they stand in the address. */
export type Filter = {
  search: string
  material: MaterialId | ''
  transfer: TransferMethodId | null
  from: number | null
  to: number | null
  sort: Sort
}

export const emptyFilter: Filter = { search: '', material: '', transfer: null, from: null, to: null, sort: 'ending_soonest' }

/** How many of them narrow the list, the search text apart. */
export const countNarrowing = ({ material, transfer, from, to }: Filter): number =>
  [material !== '', transfer !== null, from !== null, to !== null].filter(Boolean).length

/** From the address; what makes no sense there is as good as absent. */
export const readFilter = (given: Record<string, string | undefined>): Filter => ({
  search: given['search']?.slice(0, SEARCH_MAX) ?? '',
  material: isMaterial(given['material']) ? given['material'] : '',
  transfer: Object.values(transferMethods).find((id) => String(id) === given['transfer']) ?? null,
  from: poundsIn(given['from']),
  to: poundsIn(given['to']),
  sort: given['sort'] === 'newest' ? 'newest' : 'ending_soonest',
})

/** For the address: what is as usual is left out. */
export function writeFilter({ search, material, transfer, from, to, sort }: Filter): Record<string, string> {
  return {
    ...(search && { search }),
    ...(material && { material }),
    ...(transfer && { transfer: String(transfer) }),
    ...(from !== null && { from: String(from) }),
    ...(to !== null && { to: String(to) }),
    ...(sort !== emptyFilter.sort && { sort }),
  }
}

/** As API.md spells it. */
export const queryOf = ({ search, material, transfer, from, to, sort }: Filter) => ({
  ...(search && { 'filter[search]': search }),
  ...(material && { 'filter[material_id]': material }),
  ...(transfer && { 'filter[transfer_method_id]': transfer }),
  ...(from !== null && { 'filter[min_price]': penceOf(from) }),
  ...(to !== null && { 'filter[max_price]': penceOf(to) }),
  sort,
})

export const SEARCH_MAX = 100
export const PRICE_MAX = 1_000_000

const isMaterial = (text: string | undefined): text is MaterialId => text !== undefined && Object.hasOwn(materials, text)

function poundsIn(text: string | undefined): number | null {
  const value = text && /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : null
  return value !== null && value <= PRICE_MAX ? value : null
}
