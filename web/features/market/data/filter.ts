import { enquiryAges, type EnquiryAge } from '#contract/market/enquiry-values.ts'
import type { EnquiryFilter } from '#contract/market/enquiries.ts'
import { materials, type MaterialId } from '#contract/values/materials.ts'

export const radii = [10, 25, 50, 100, 200] as const
const USUAL_RADIUS = 50
export const SEARCH_MAX = 100
export const WEIGHT_MAX = 1_000_000

/** What the market's list is narrowed to, as it stands in the address. */
export type MarketFilter = {
  search: string
  material: MaterialId | ''
  /** A post code or its district. */
  near: string
  /** Miles round it. */
  within: number
  /** Kilograms. */
  from: number | null
  to: number | null
  age: EnquiryAge | ''
}

export const emptyFilter: MarketFilter = { search: '', material: '', near: '', within: USUAL_RADIUS, from: null, to: null, age: '' }

/** From the address; what makes no sense there is as good as absent. */
export const readFilter = (given: Record<string, string | undefined>, searchTerm?: string): MarketFilter => ({
  search: (searchTerm ?? given['search'] ?? '').slice(0, SEARCH_MAX),
  material: keyIn(materials, given['material']) ?? '',
  near: isPostCode(given['near'] ?? '') ? (given['near'] ?? '') : '',
  within: radii.find((miles) => String(miles) === given['within']) ?? USUAL_RADIUS,
  from: wholeIn(given['from']),
  to: wholeIn(given['to']),
  age: keyIn(enquiryAges, given['age']) ?? '',
})

/** For the address, without the words: the list has them in its path. What is as usual is left out. */
export const writeFilter = ({ material, near, within, from, to, age }: MarketFilter): Record<string, string> => ({
  ...(material && { material }),
  ...(near && { near }),
  ...(near && within !== USUAL_RADIUS && { within: String(within) }),
  ...(from !== null && { from: String(from) }),
  ...(to !== null && { to: String(to) }),
  ...(age && { age }),
})

export const countNarrowing = (filter: MarketFilter): number => Object.keys(writeFilter({ ...filter, within: USUAL_RADIUS })).length

export const queryOf = ({ search, material, near, within, from, to, age }: MarketFilter): EnquiryFilter => ({
  ...(search && { 'filter[search]': search }),
  ...(material && { 'filter[material_id]': material }),
  ...(near && { 'filter[post_code]': near, 'filter[radius_miles]': within }),
  ...(from !== null && { 'filter[min_weight_kg]': from }),
  ...(to !== null && { 'filter[max_weight_kg]': to }),
  ...(age && { 'filter[age]': age }),
})

export const isPostCode = (text: string): boolean => /^[a-z]{1,2}\d[a-z\d]?(?: ?\d[a-z]{2})?$/i.test(text.trim())

const keyIn = <K extends string>(table: Record<K, unknown>, text: string | undefined): K | undefined =>
  text !== undefined && Object.hasOwn(table, text) ? (text as K) : undefined

const wholeIn = (text: string | undefined): number | null => (text && /^\d{1,7}$/.test(text) ? Math.min(Number(text), WEIGHT_MAX) : null)
