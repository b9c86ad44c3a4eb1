import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { settings } from '#contract/settings.ts'
import { openAuctionPool } from '#server/db/db.ts'
import type { BidRules } from '#server/features/settings/bid-rules.ts'

// People and listings as rows, for tests of bidding that need many of both at once.

export async function newMerchant(owner: pg.ClientBase, changes: Record<string, unknown> = {}): Promise<string> {
  const id = randomUUID()
  const row = {
    id,
    email: `${id}@example.test`,
    email_verified_at: new Date(),
    password_hash: '$argon2id$none',
    first_name: 'Test',
    surname: 'Merchant',
    business_type: 'company',
    company_name: 'Test Metals',
    date_of_birth: '1980-01-01',
    contact_number: '0161 496 0000',
    not_vat_registered: true,
    terms_accepted_at: new Date(),
    tier: 'full',
    payment_account_completed: true,
    payment_account_id: `acct_${id}`,
    holding_fee_card: 'pm_test',
    licence_status: 'approved',
    onboarding_stage: null,
    opened_at: new Date(),
    ...changes,
  }
  await insert(owner, 'users', row)
  return id
}

export async function newListing(owner: pg.ClientBase, seller_id: string, changes: Record<string, unknown> = {}): Promise<string> {
  const id = randomUUID()
  const { rows } = await owner.query<{ end: Date }>(`select date_trunc('milliseconds', app_now() + interval '1 hour') as end`)
  const end = rows[0]?.end
  await insert(owner, 'listings', {
    id,
    seller_id,
    status: 'Active',
    title: 'Bright copper wire',
    description: 'Clean and dry',
    material_id: 'copper_bright',
    price_basis: 'lot',
    start_price: 100_00,
    transfer_method_id: 1,
    address_line_1: '12 Foundry Lane',
    town: 'Manchester',
    post_code: 'M1 4BT',
    latitude: 53.478,
    longitude: -2.235,
    duration_days: 1,
    starts_at: new Date(),
    expires_at: end,
    first_expires_at: end,
    ...changes,
  })
  return id
}

/** A photo of a listing, as far as rows go: no file is behind it. */
export async function newPhoto(owner: pg.ClientBase, listing_id: string, position = 1): Promise<void> {
  const id = randomUUID()
  const { rows } = await owner.query<{ seller_id: string }>('select seller_id from listings where id = $1', [listing_id])
  await insert(owner, 'storage_objects', {
    id,
    owner_id: rows[0]?.seller_id,
    upload_kind: 1,
    filename: 'photo.jpg',
    mime_type: 'image/jpeg',
    file_size: 100_000,
    state: 'ready',
    object_key: `${id}/image.jpg`,
    sha256: Buffer.alloc(32),
    width: 1600,
    height: 1200,
    thumbnails: { 320: `${id}/320.webp`, 640: `${id}/640.webp` },
    ready_at: new Date(),
  })
  await insert(owner, 'listing_media', { listing_id, storage_object_id: id, position })
}

export async function insert(owner: pg.ClientBase, table: string, row: Record<string, unknown>) {
  const names = Object.keys(row)
  await owner.query(
    `insert into ${table} (${names.join(', ')}) values (${names.map((_name, nth) => `$${nth + 1}`).join(', ')})`,
    Object.values(row),
  )
}

export const defaultRules: BidRules = {
  steps: { lot: settings.bid_steps_lot.default, tonne: settings.bid_steps_tonne.default },
  vatRate: 20,
  lateBids: { windowMs: 5 * 60_000, extensionMs: 5 * 60_000, capMs: 60 * 60_000 },
}

/** Connections as the server has them for bids, for whom a busy machine is not too slow. */
export const serverPool = (url: string, max = 2) => openAuctionPool(url, max, 60_000)
