import type { SaleOnPaper } from '#domain/papers/sale-papers.ts'
import type { TradeParty } from '#domain/papers/printed-paper.ts'
import type { ReadRows } from '#server/db/db.ts'

type Money = SaleOnPaper['award']
type Row = Omit<Money, 'vat_rate'> & {
  vat_rate: string
  listing: SaleOnPaper['listing']
  seller_id: string
  buyer_id: string
  seller: TradeParty
  buyer: TradeParty
} & SaleOnPaper['exchange']

export type ReadSale = SaleOnPaper & { sellerId: string; buyerId: string }

/** Everything that papers print of a sale, as it stands in the caller's transaction. */
export async function readSaleOnPaper(rows: ReadRows, awardId: string): Promise<ReadSale> {
  const [row] = await rows<Row>(
    `select a.id, a.price, a.goods, a.vat, a.total, a.vat_rate, a.charges_vat, a.paid_at, a.deferred_days,
            jsonb_build_object('id', l.id, 'title', l.title, 'material_id', l.material_id, 'grade', l.grade, 'condition', l.condition,
              'ewc_code', l.ewc_code, 'price_basis', l.price_basis, 'weight_kg', l.weight_kg, 'serial_numbers', l.serial_numbers,
              'transfer_method_id', l.transfer_method_id,
              'pick_up', array_remove(array[l.address_line_1, l.address_line_2, l.town, l.county, l.post_code], null)) as listing,
            l.seller_id, a.bidder_id as buyer_id, ${party('l.seller_id')} as seller, ${party('a.bidder_id')} as buyer,
            e.slot, e.eta, e.vehicle, e.seller_weight_kg, e.buyer_weight_kg, e.hazard_properties, e.received_at
     from awards a
     join listings l on l.id = a.listing_id
     left join exchanges e on e.award_id = a.id
     where a.id = $1`,
    [awardId],
  )
  if (!row) throw new Error(`award ${awardId} is not there`)
  const {
    listing,
    seller_id,
    buyer_id,
    seller,
    buyer,
    slot,
    eta,
    vehicle,
    seller_weight_kg,
    buyer_weight_kg,
    hazard_properties,
    received_at,
    ...award
  } = row
  return {
    award: { ...award, vat_rate: Number(award.vat_rate) },
    listing,
    seller,
    buyer,
    exchange: { slot, eta, vehicle, seller_weight_kg, buyer_weight_kg, hazard_properties, received_at },
    sellerId: seller_id,
    buyerId: buyer_id,
  }
}

const party = (id: string) => `(
  select jsonb_build_object('company_name', u.company_name, 'contact_name', u.first_name || ' ' || u.surname,
    'business_activity', u.business_activity, 'vat_number', u.vat_number, 'company_number', p.company_number,
    'licence', nullif(concat_ws(', ', p.licence_number, p.licence_council), ''), 'waste_carrier_number', p.waste_carrier_number,
    'address', to_jsonb(array_remove(array[d.address_line_1, d.address_line_2, d.town, d.county, d.post_code], null)))
  from users u
  left join onboarding_profiles p on p.user_id = u.id
  left join lateral (
    select *
    from addresses
    where user_id = u.id
    order by is_company_address desc, is_default_address desc, created_at
    limit 1
  ) d on true
  where u.id = ${id}
)`
