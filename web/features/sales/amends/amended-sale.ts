import type { Listing } from '#contract/listings.ts'
import type { AmendedSale } from '#domain/sales/amend.ts'

/** What an amend of this sale is computed from. */
export function amendedSale({ amounts, weight_kg, grade }: Listing): Omit<AmendedSale, 'lines'> {
  const { goods, vat_rate } = amounts ?? { goods: { value: 0 }, vat_rate: 0 }
  return { goods: goods.value, vat_rate, charges_vat: vat_rate > 0, weight_kg, grade }
}
