import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { owed } from '#domain/money.ts'
import { insert, newListing } from '#tests/support/auctions/auction.ts'

export type SoldListing = { listingId: string; awardId: string }

/** A listing that went to a buyer, as rows: no step of the machine was taken. */
export async function soldTo(
  owner: pg.ClientBase,
  {
    seller,
    buyer,
    price = 5_225_00,
    listing = {},
    award = {},
  }: { seller: string; buyer: string; price?: number; listing?: Record<string, unknown>; award?: Record<string, unknown> },
): Promise<SoldListing> {
  const terms = { price_basis: 'tonne', weight_kg: 12_400, ...listing }
  const listingId = await newListing(owner, seller, { ...terms, status: 'PendingPayment', starts_at: new Date() })
  return awarded(owner, {
    listingId,
    buyer,
    price,
    award,
    basis: terms.price_basis as 'lot' | 'tonne',
    weight_kg: terms.weight_kg,
  })
}

/** A further award of the same listing: the one before has ended. */
export async function awarded(
  owner: pg.ClientBase,
  {
    listingId,
    buyer,
    price,
    award = {},
    basis = 'tonne',
    weight_kg = 12_400,
  }: {
    listingId: string
    buyer: string
    price: number
    award?: Record<string, unknown>
    basis?: 'lot' | 'tonne'
    weight_kg?: number | null
  },
): Promise<SoldListing> {
  const bidId = randomUUID()
  const awardId = randomUUID()
  const charges_vat = award['charges_vat'] !== false
  await owner.query(`update awards set status = 'missed' where listing_id = $1`, [listingId])
  await owner.query(
    `insert into bids (id, listing_id, seq, bidder_id, amount, max_amount, price_after, leader_after, accepted_at, expires_at)
     select $1, $2, coalesce(max(seq), 0) + 1, $3, $4, $4, $4, $3, app_now(), app_now() + interval '1 hour' from bids where listing_id = $2`,
    [bidId, listingId, buyer, price],
  )
  await insert(owner, 'awards', {
    id: awardId,
    listing_id: listingId,
    bidder_id: buyer,
    bid_id: bidId,
    price,
    status: 'pending_payment',
    charges_vat,
    vat_rate: 20,
    ...owed(price, { basis, weight_kg, vatRate: 20, isVatRegistered: charges_vat }),
    ...award,
  })
  return { listingId, awardId }
}

/** So many further sales like this one, by few statements. Answers their awards. */
export async function copied(owner: pg.ClientBase, { listingId, awardId }: SoldListing, count: number): Promise<string[]> {
  await owner.query(
    `create temp table copies as
     select gen_random_uuid() as listing, gen_random_uuid() as bid, gen_random_uuid() as award from generate_series(1, ${count})`,
  )
  const copy = (table: string, changes: string, which: string) =>
    owner.query(
      `insert into ${table} select (jsonb_populate_record(t, jsonb_build_object(${changes}))).* from ${table} t, copies where t.${which} = $1`,
      [table === 'awards' ? awardId : listingId],
    )
  await copy('listings', `'id', listing`, 'id')
  await copy('bids', `'id', bid, 'listing_id', listing`, 'listing_id')
  await copy('awards', `'id', award, 'listing_id', listing, 'bid_id', bid`, 'id')
  const { rows } = await owner.query<{ award: string }>('select award from copies')
  await owner.query('drop table copies')
  return rows.map(({ award }) => award)
}

/** A document that came with a step, as rows; no file is behind it. */
export async function givenWith(
  owner: pg.ClientBase,
  { listingId, giver, kind, step, field }: { listingId: string; giver: string; kind: number; step: string; field: string },
): Promise<string> {
  const id = randomUUID()
  await insert(owner, 'storage_objects', {
    id,
    owner_id: giver,
    upload_kind: 2,
    storage_object_kind: kind,
    filename: `${field}.pdf`,
    mime_type: 'application/pdf',
    file_size: 100,
    state: 'ready',
    object_key: `ready/${id}/document.pdf`,
    sha256: Buffer.alloc(32),
    ready_at: new Date(),
  })
  await insert(owner, 'listing_documents', { storage_object_id: id, listing_id: listingId, given_by: giver, step, field })
  return id
}
