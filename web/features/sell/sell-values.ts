import type { Listing } from '#contract/listings.ts'
import type { FoundAddress } from '#contract/location.ts'
import type { MaterialId } from '#contract/materials.ts'
import type { MediaItem } from '#contract/storage.ts'
import { transferMethods } from '#contract/transfer-method.ts'
import { penceOf } from '#web/money.ts'

/** As the form holds them: prices in pounds, choices as the text of their radio. */
export type SellValues = {
  media: MediaItem[]
  title: string
  description: string
  material_id: MaterialId | ''
  grade: string
  condition: string
  price_basis: Listing['price_basis']
  weight_kg: number | null
  start_price: number | null
  reservation_price: number | null
  duration_days: string
  transfer_method_id: string
  use_default_address: boolean
  address: FoundAddress | null
  extends_on_late_bids: boolean
  accepts_deferred_payment: boolean
  seller_invoices: boolean
}

export const emptySell: SellValues = {
  media: [],
  title: '',
  description: '',
  material_id: '',
  grade: '',
  condition: '',
  price_basis: 'tonne',
  weight_kg: null,
  start_price: null,
  reservation_price: null,
  duration_days: '7',
  transfer_method_id: String(transferMethods.Collection),
  use_default_address: true,
  address: null,
  extends_on_late_bids: true,
  accepts_deferred_payment: false,
  seller_invoices: false,
}

/** What POST /api/v1/listings takes: whole pence, the ids of the uploads, one of the two addresses. */
export function bodyOf(values: SellValues) {
  const {
    media,
    material_id,
    start_price,
    reservation_price,
    duration_days,
    transfer_method_id,
    address,
    use_default_address: _isDefault,
    ...rest
  } = values
  if (material_id === '' || start_price === null) throw new Error('the form lets nobody through without a material and a price')
  return {
    ...rest,
    material_id,
    start_price: penceOf(start_price),
    reservation_price: reservation_price === null ? null : penceOf(reservation_price),
    duration_days: Number(duration_days),
    transfer_method_id: Number(transfer_method_id) === transferMethods.Delivery ? transferMethods.Delivery : transferMethods.Collection,
    media: media.map(({ storage_object_id }) => storage_object_id),
    // the default address is the one that is meant while no other is given
    ...(address ? { address } : { use_default_address: true }),
  }
}
