import type { MaterialId } from '#contract/values/materials.ts'
import type { MerchantName } from '#database/demo/merchants.ts'
import type { PriceBasis } from '#domain/money.ts'

export type DemoAddress = { line: string; town: string; country: string; postCode: string; latitude: number; longitude: number }
export type DemoPerson = { id: string; address: DemoAddress }
export type DemoPeople = ReadonlyMap<string, DemoPerson>

export type DemoListing = {
  /** Where it has to be known from outside; otherwise any. */
  id?: string
  by: 'seller' | 'buyer' | 'rival' | 'basic' | 'trade' | MerchantName
  title: string
  description: string
  /** Names of pictures in database/demo/photos/, the first one in the list. */
  photos: readonly string[]
  material: MaterialId
  grade?: string
  price: [start: number, basis: PriceBasis, weight_kg: number | null]
  reservation?: number
  transfer?: 1 | 2
  seller_invoices?: true
  accepts_deferred_payment?: true
  /** Asked for catalytic converters. */
  restricted?: { serial_numbers: string; source: string }
  /** Where the goods are, if not at the seller's own yard. */
  at?: [line: string, town: string, country: string, postCode: string, latitude: number, longitude: number]
  /** Minutes until its end; below zero it has ended, and the closer finds it at the first start. */
  endsIn: number
  /** Who bid up to how much, in order. */
  bids?: [who: DemoBidder, max: number][]
  /** What has happened to it beyond its end, or instead of one. */
  since?: 'just_submitted' | 'withdrawn' | 'offered_at_reservation_price' | 'offered_to_next_bidder' | 'has_issue' | 'removed'
}

type DemoBidder = 'seller' | 'buyer' | 'rival' | 'temp' | MerchantName
