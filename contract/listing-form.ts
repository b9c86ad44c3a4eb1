import { z } from 'zod'
import { addressFields, inUtc, keysOf, line, optionalLine, text } from '#contract/fields.ts'
import { LISTING_DAYS_MAX, MOST_MEDIA } from '#contract/values/limits.ts'
import { materials, type MaterialId } from '#contract/values/materials.ts'
import { transferMethods } from '#contract/values/transfer-method.ts'

const storageObjectId = z.guid('This upload is not known')
const price = z.int('Enter a price, in whole pence').min(1, 'At least 1p').max(100_000_000, 'At most £1,000,000.00')

const HOW_LONG = 'Choose how many days it runs, or when it ends'

const isRestricted = (id: MaterialId) => 'is_restricted' in materials[id]
const optionalText = (max: number) =>
  text(max)
    .nullish()
    .transform((given) => given || null)

/** What the seller says of a listing; what depends on the clock or on settings is checked where it is made. */
export const listingForm = z
  .strictObject({
    title: line('Title', 120).min(3, 'At least 3 characters'),
    description: text(5_000, 'Description is required').min(1, 'Description is required'),
    material_id: z.enum(keysOf<MaterialId>(materials), 'Choose a material'),
    grade: optionalLine('Grade'),
    ewc_code: optionalLine('EWC code', 12),
    condition: optionalLine('Condition'),
    price_basis: z.enum(['lot', 'tonne'], 'Choose a price for the lot or by the tonne'),
    weight_kg: z.int('Whole kilograms').min(1, 'At least 1 kg').max(1_000_000, 'At most 1,000 t').nullish(),
    start_price: price,
    reservation_price: price.nullish(),
    duration_days: z.int(HOW_LONG).min(1, HOW_LONG).max(LISTING_DAYS_MAX, HOW_LONG).optional(),
    expires_at: inUtc.optional(),
    transfer_method_id: z.union(
      [z.literal(transferMethods.Collection), z.literal(transferMethods.Delivery)],
      'Choose collection or delivery',
    ),
    address: z.strictObject(addressFields).optional(),
    use_default_address: z.boolean().optional(),
    media: z.array(storageObjectId).min(1, 'Add at least one photo').max(MOST_MEDIA, `At most ${MOST_MEDIA} photos and videos`),
    documents: z.array(storageObjectId).max(MOST_MEDIA, `At most ${MOST_MEDIA} documents`).default([]),
    accepts_deferred_payment: z.boolean().default(false),
    extends_on_late_bids: z.boolean().default(true),
    seller_invoices: z.boolean().default(false),
    serial_numbers: optionalText(2_000),
    source: optionalLine('Source', 200),
  })
  .refine(({ material_id, serial_numbers }) => !isRestricted(material_id) || serial_numbers !== null, {
    path: ['serial_numbers'],
    message: 'Give the serial numbers',
  })
  .refine(({ material_id, source }) => !isRestricted(material_id) || source !== null, {
    path: ['source'],
    message: 'Say where they come from',
  })
  .refine(({ price_basis, weight_kg }) => price_basis === 'lot' || weight_kg != null, {
    path: ['weight_kg'],
    message: 'A price by the tonne needs a weight',
  })
  .refine(({ start_price, reservation_price }) => reservation_price == null || reservation_price >= start_price, {
    path: ['reservation_price'],
    message: 'The reservation price is below the start price',
  })
  .refine(({ duration_days, expires_at }) => (duration_days === undefined) !== (expires_at === undefined), {
    path: ['duration_days'],
    message: HOW_LONG,
  })
  .refine(({ address, use_default_address }) => (address === undefined) === (use_default_address === true), {
    path: ['address'],
    message: 'Give an address, or use the default one',
  })
export type ListingForm = z.output<typeof listingForm>
