import type { Listing } from '#contract/listings.ts'
import { fromLondonMinute, toLondonMinute } from '#domain/london-clock.ts'
import type { FoundAddress } from '#contract/location.ts'
import type { MediaItem } from '#contract/storage.ts'
import { materials, type MaterialId } from '#contract/values/materials.ts'
import { storageObjectKinds } from '#contract/values/storage-kinds.ts'
import { transferMethods } from '#contract/values/transfer-method.ts'
import { penceOf } from '#domain/money.ts'

/** The duration that stands for an end of one's own choice. */
export const CHOSEN_END = 'at'

/** As the form holds them: prices in pounds, choices as the text of their radio. */
export type SellValues = {
  media: MediaItem[]
  title: string
  description: string
  material_id: MaterialId | ''
  grade: string
  condition: string
  ewc_code: string
  serial_numbers: string
  source: string
  price_basis: Listing['price_basis']
  weight_kg: number | null
  start_price: number | null
  reservation_price: number | null
  duration_days: string
  /** By the clock on the wall, to the minute. */
  ends_at: string
  transfer_method_id: string
  use_default_address: boolean
  address: FoundAddress | null
  weighbridge_tickets: MediaItem[]
  load_images: MediaItem[]
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
  ewc_code: '',
  serial_numbers: '',
  source: '',
  price_basis: 'lot',
  weight_kg: null,
  start_price: null,
  reservation_price: null,
  duration_days: '7',
  ends_at: '',
  transfer_method_id: String(transferMethods.Collection),
  use_default_address: true,
  address: null,
  weighbridge_tickets: [],
  load_images: [],
  extends_on_late_bids: true,
  accepts_deferred_payment: false,
  seller_invoices: false,
}

export const isRestricted = (id: MaterialId | ''): boolean => id !== '' && 'is_restricted' in materials[id]

/** A listing that runs already, as the form edits it: it goes on until it would have ended. */
export function valuesOf(listing: Listing): SellValues {
  const { media, documents, address, expires_at } = listing
  const ofKind = (kind: number) => documents.filter(({ asset_type }) => asset_type === kind)
  return {
    media,
    title: listing.title,
    description: listing.description,
    material_id: Object.hasOwn(materials, listing.material.id) ? (listing.material.id as MaterialId) : '',
    grade: listing.grade ?? '',
    condition: listing.condition ?? '',
    ewc_code: listing.ewc_code ?? '',
    serial_numbers: listing.serial_numbers ?? '',
    source: listing.source ?? '',
    price_basis: listing.price_basis,
    weight_kg: listing.weight_kg,
    start_price: listing.start_price.value / 100,
    reservation_price: listing.reservation_price && listing.reservation_price.value / 100,
    duration_days: expires_at ? CHOSEN_END : emptySell.duration_days,
    ends_at: expires_at ? toLondonMinute(new Date(expires_at)) : '',
    transfer_method_id: String(listing.transfer_method_id),
    use_default_address: false,
    address: address && { ...address, county: address.county ?? '' },
    weighbridge_tickets: ofKind(storageObjectKinds.WeighbridgeTicket),
    load_images: ofKind(storageObjectKinds.LoadImage),
    extends_on_late_bids: listing.extends_on_late_bids,
    accepts_deferred_payment: listing.accepts_deferred_payment,
    seller_invoices: listing.seller_invoices,
  }
}

/** What POST and PUT take: whole pence, the ids of the uploads, one of the two addresses, one of the two ends. */
export function bodyOf(values: SellValues, editing?: Listing) {
  const { material_id, start_price, reservation_price, address } = values
  if (material_id === '' || start_price === null) throw new Error('the form lets nobody through without a material and a price')
  return {
    title: values.title,
    description: values.description,
    material_id,
    grade: values.grade,
    condition: values.condition,
    ewc_code: values.ewc_code,
    ...(isRestricted(material_id) && { serial_numbers: values.serial_numbers, source: values.source }),
    price_basis: values.price_basis,
    weight_kg: values.weight_kg,
    start_price: penceOf(start_price),
    reservation_price: reservation_price === null ? null : penceOf(reservation_price),
    ...endOf(values, editing?.expires_at),
    transfer_method_id:
      Number(values.transfer_method_id) === transferMethods.Delivery ? transferMethods.Delivery : transferMethods.Collection,
    media: values.media.map(idOf),
    documents: [...values.weighbridge_tickets, ...values.load_images].map(idOf),
    // the default address is the one that is meant while no other is given
    ...(address ? { address } : { use_default_address: true }),
    extends_on_late_bids: values.extends_on_late_bids,
    accepts_deferred_payment: values.accepts_deferred_payment,
    seller_invoices: values.seller_invoices,
  }
}

const idOf = ({ storage_object_id }: MediaItem) => storage_object_id

/** An end that was not touched stays as it is, to the millisecond. */
function endOf({ duration_days, ends_at }: SellValues, before: string | null | undefined) {
  if (duration_days !== CHOSEN_END) return { duration_days: Number(duration_days) }
  const isUntouched = before && toLondonMinute(new Date(before)) === ends_at
  return { expires_at: isUntouched ? before : fromLondonMinute(ends_at).toISOString() }
}
