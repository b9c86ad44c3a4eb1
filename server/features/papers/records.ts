import type pg from 'pg'
import { transferMethods } from '#contract/values/transfer-method.ts'
import type { TradeParty } from '#domain/papers/printed-paper.ts'
import { weightOf } from '#domain/papers/sale-papers.ts'
import { recordsOf, type Handover, type IdentityEvidence } from '#domain/papers/scrap-record.ts'
import { carrierOf, ewcCodeOf, isWaste } from '#domain/papers/waste-note.ts'
import { rowsOn } from '#server/db/db.ts'
import { readSaleOnPaper, type ReadSale } from '#server/features/papers/sale-on-paper.ts'

// s.15: three years from the day on which the metal was received or disposed of
const KEPT_FOR = '3 years'

/**
 * Writes the pair of records that a handover asks for: the receipt of who takes the goods, the disposal of who gives them. Does nothing
 * for goods that are not scrap, nor a second time.
 */
export async function writeRecords(client: pg.ClientBase, awardId: string, handover: Handover, at: Date): Promise<void> {
  const sale = await readSaleOnPaper(rowsOn(client), awardId)
  if (!isWaste(sale.listing)) return
  const { cause, ...whose } = recordsOf[handover]
  const payment = await paymentOf(client, sale)
  const weight = weightOf(sale)
  const people = {
    seller: { id: sale.sellerId, party: sale.seller },
    buyer: { id: sale.buyerId, party: sale.buyer },
  }
  for (const kind of ['receipt', 'disposal'] as const) {
    const keeper = people[whose[kind]]
    const other = people[whose[kind] === 'seller' ? 'buyer' : 'seller']
    await client.query(
      `insert into scrap_records (award_id, listing_id, user_id, kind, cause, at, keeper, counterparty, carrier, material_id, title, grade, condition,
         ewc_code, marks, vehicle, identity_evidence, weight_kg, weight_from, price, paid_by, paid_how, payment_reference, kept_until)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23,
         (($6::timestamptz at time zone 'Europe/London') + interval '${KEPT_FOR}')::date)
       on conflict (award_id, cause, kind) do nothing`,
      [
        sale.award.id,
        sale.listing.id,
        keeper.id,
        kind,
        cause,
        at,
        keeper.party,
        other.party,
        carrierBack(sale, handover),
        sale.listing.material_id,
        sale.listing.title,
        sale.listing.grade,
        sale.listing.condition,
        ewcCodeOf(sale.listing),
        sale.listing.serial_numbers,
        // a return goes by another vehicle, which nobody is asked for
        handover === 'return' ? null : sale.exchange.vehicle,
        JSON.stringify(await evidenceOf(client, other.id)),
        weight?.kg ?? null,
        weight?.by ?? null,
        sale.award.total,
        payment.by,
        payment.how,
        payment.reference,
      ],
    )
  }
  // nothing can change any more once the goods are back
  if (handover === 'return') await fillIn(client, sale, { isFinal: true })
}

/**
 * Fills in the weight, the price and how it was paid, as they are now. Final once the sale is paid: a deferred one is completed again when
 * its payment arrives.
 */
export async function completeRecords(client: pg.ClientBase, awardId: string): Promise<void> {
  const sale = await readSaleOnPaper(rowsOn(client), awardId)
  await fillIn(client, sale, { isFinal: sale.award.paid_at !== null || sale.award.deferred_days === null })
}

async function fillIn(client: pg.ClientBase, sale: ReadSale, { isFinal }: { isFinal: boolean }): Promise<void> {
  const weight = weightOf(sale)
  const payment = await paymentOf(client, sale)
  await client.query(
    `update scrap_records
     set weight_kg = $2, weight_from = $3, price = $4, paid_by = $5, paid_how = $6, payment_reference = $7,
         completed_at = case when $8 then app_now() end
     where award_id = $1 and completed_at is null`,
    [sale.award.id, weight?.kg ?? null, weight?.by ?? null, sale.award.total, payment.by, payment.how, payment.reference, isFinal],
  )
}

/** Who fetched the goods or brought them also takes them back the same way. */
const carrierBack = (sale: ReadSale, handover: Handover): TradeParty =>
  handover === 'return' && sale.listing.transfer_method_id === transferMethods.Delivery ? sale.buyer : carrierOf(sale)

const ways = { card: 'Card, through Stripe', bank_transfer: 'Bank transfer, through Stripe' } as const

async function paymentOf(client: pg.ClientBase, { award, buyer }: ReadSale) {
  const { rows } = await client.query<{ method: keyof typeof ways; reference: string | null }>(
    `select method, coalesce(charge_id, intent_id) as reference
     from sale_payments
     where award_id = $1 and received > 0
     order by created_at`,
    [award.id],
  )
  const by = `${buyer.contact_name} for ${buyer.company_name}`
  if (rows.length === 0) {
    const how = award.deferred_days ? `Deferred terms: to be paid within ${award.deferred_days} days, through Stripe` : 'Through Stripe'
    return { by, how, reference: null }
  }
  const how = [...new Set(rows.map(({ method }) => ways[method]))].join(' and ')
  return { by, how, reference: rows.flatMap(({ reference }) => reference ?? []).join(', ') || null }
}

/** s.11: what the identity of the other party was verified by. */
async function evidenceOf(client: pg.ClientBase, userId: string): Promise<IdentityEvidence[]> {
  const { rows } = await client.query<IdentityEvidence>(
    `select 'Payment account, verified by Stripe' as source, payment_account_id as reference, null as date
     from users
     where id = $1 and payment_account_verified
     union all
     (select 'Scrap dealer licence' || coalesce(', ' || council, ''), number, reviewed_at::text
      from merchant_documents
      where user_id = $1 and kind = 'scrap_dealer_licence' and status = 'approved'
      order by reviewed_at desc
      limit 1)`,
    [userId],
  )
  return rows
}
