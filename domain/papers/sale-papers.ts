import type { MaterialId } from '#contract/values/materials.ts'
import type { PriceBasis } from '#domain/money.ts'
import type { TransferMethodId } from '#contract/values/transfer-method.ts'
import type { TradeParty } from '#domain/papers/printed-paper.ts'

/** What papers print of a sale, read in the transaction that issues them. */
export type SaleOnPaper = {
  award: {
    id: string
    price: number
    goods: number
    vat: number
    total: number
    vat_rate: number
    charges_vat: boolean
    paid_at: Date | null
    deferred_days: number | null
  }
  listing: {
    id: string
    title: string
    material_id: MaterialId
    grade: string | null
    condition: string | null
    ewc_code: string | null
    price_basis: PriceBasis
    weight_kg: number | null
    serial_numbers: string | null
    transfer_method_id: TransferMethodId
    pick_up: string[]
  }
  seller: TradeParty
  buyer: TradeParty
  exchange: {
    slot: Date | null
    eta: Date | null
    vehicle: string | null
    seller_weight_kg: number | null
    buyer_weight_kg: number | null
    hazard_properties: string | null
    received_at: Date | null
  }
}

export type WeighedBy = 'buyer' | 'seller' | 'listing'

/** RULES §4 "Weights": the buyer's, else the seller's, else the listed one. */
export function weightOf({ exchange, listing }: Pick<SaleOnPaper, 'exchange' | 'listing'>): { kg: number; by: WeighedBy } | null {
  if (exchange.buyer_weight_kg !== null) return { kg: exchange.buyer_weight_kg, by: 'buyer' }
  if (exchange.seller_weight_kg !== null) return { kg: exchange.seller_weight_kg, by: 'seller' }
  return listing.weight_kg === null ? null : { kg: listing.weight_kg, by: 'listing' }
}
