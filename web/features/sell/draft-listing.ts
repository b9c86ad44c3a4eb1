import type { Listing } from '#contract/listings.ts'
import { fromLondonMinute } from '#domain/london-clock.ts'
import { materials } from '#contract/values/materials.ts'
import { gbp } from '#domain/format.ts'
import { penceOf } from '#domain/money.ts'
import { serverNow } from '#web/api/server-clock.ts'
import { CHOSEN_END, type SellValues } from '#web/features/sell/sell-values.ts'

export type Seller = Pick<Listing['seller'], 'id' | 'company_name' | 'member_since' | 'vat_registered'>
type Place = { town: string; county: string | null; post_code: string; latitude: number; longitude: number }

const DAY_MS = 86_400_000

/** What is typed so far, as a listing that has just opened. */
export function draftListing(values: SellValues, seller: Seller, place: Place | null): Listing {
  const now = serverNow()
  const { name, group, is_scrap } = values.material_id
    ? materials[values.material_id]
    : { name: 'Material', group: 'Goods', is_scrap: true }
  const price = gbp(penceOf(values.start_price ?? 0))
  return {
    id: 'preview',
    title: values.title.trim() || 'Your title',
    description: values.description.trim() || 'Your description',
    status: { id: 2, name: 'Active', label: 'Active', theme: 'success' },
    is_owner: false,
    is_watched: false,
    version: 1,
    material: { id: values.material_id, name, group, is_scrap },
    grade: values.grade.trim() || null,
    ewc_code: values.ewc_code.trim() || null,
    condition: values.condition.trim() || null,
    price_basis: values.price_basis,
    weight_kg: values.weight_kg,
    start_price: price,
    current_price: price,
    minimum_bid: price,
    bid_step: price,
    has_reservation_price: values.reservation_price !== null,
    reservation_met: false,
    reservation_price: values.reservation_price === null ? null : gbp(penceOf(values.reservation_price)),
    bid_count: 0,
    created_at: now.toISOString(),
    starts_at: now.toISOString(),
    expires_at: endOf(values, now),
    extends_on_late_bids: values.extends_on_late_bids,
    transfer_method_id: Number(values.transfer_method_id),
    location: {
      town: place?.town ?? 'Town',
      county: place?.county ?? null,
      post_code_district: place?.post_code.split(' ')[0] ?? 'district',
      latitude: place?.latitude ?? 0,
      longitude: place?.longitude ?? 0,
      distance_miles: null,
    },
    address: null,
    seller: { ...seller, completed_sales: 0 },
    accepts_deferred_payment: values.accepts_deferred_payment,
    seller_invoices: values.seller_invoices,
    serial_numbers: null,
    source: null,
    notes: [],
    withdrawal_reason: null,
    my_latest_bid: null,
    media: values.media,
    documents: [],
    can_offer_at_reservation_price: false,
    kyc_status: null,
    user_deferred_payment: null,
    amounts: null,
    counterparty: null,
    deadline: null,
    available_actions: [],
    former_status: null,
    payment: null,
    holding_fee: null,
    handover_code: null,
    exchange: null,
    amends: [],
    refunds: [],
    payouts: [],
    papers: [],
    can_edit: false,
    server_time: now.toISOString(),
  }
}

function endOf({ duration_days, ends_at }: SellValues, now: Date): string | null {
  const end = duration_days === CHOSEN_END ? fromLondonMinute(ends_at) : new Date(now.getTime() + Number(duration_days) * DAY_MS)
  return Number.isNaN(end.getTime()) ? null : end.toISOString()
}
