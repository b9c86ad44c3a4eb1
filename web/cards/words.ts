import type { Listing } from '#contract/listings.ts'
import { transferMethods } from '#contract/values/transfer-method.ts'

export const transferInWords = (id: number): string => (id === transferMethods.Delivery ? 'Delivery' : 'Collection')

// 'Machinery' says it all, 'Cast' does not
const needsNoGroup = ['Mixed and WEEE', 'Goods']

export const materialInWords = ({ group, name }: Listing['material']): string =>
  group === name || needsNoGroup.includes(group) ? name : `${group} · ${name}`

export const basisInWords = (basis: Listing['price_basis']): string => (basis === 'tonne' ? '/ t' : 'lot')

export const milesInWords = (miles: number): string => (miles < 1 ? 'under a mile' : miles < 1.5 ? '1 mile' : `${Math.round(miles)} miles`)

export function bidsInWords(count: number): string {
  if (count === 0) return 'No bids yet'
  return count === 1 ? '1 bid' : `${count} bids`
}
