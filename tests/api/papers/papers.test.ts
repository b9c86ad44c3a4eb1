import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import path from 'node:path'
import { storageObjectKinds } from '#contract/values/storage-kinds.ts'
import { findViolations } from '#database/check.ts'
import { formatPence } from '#domain/format.ts'
import { uploadPlaces } from '#domain/papers/upload-places.ts'
import { inTransaction, openDatabase, openPool, rowsOf } from '#server/db/db.ts'
import { creditInvoice, draftWasteNote, issuePaper, papersOf, type PaperOrder } from '#server/features/papers/public.ts'
import { readPdf, findPaper } from '#server/features/papers/stored-paper.ts'
import { enqueue } from '#server/jobs/queue.ts'
import { diskStore } from '#server/providers/files-disk.ts'
import { insert } from '#tests/support/auctions/auction.ts'
import { newMember } from '#tests/support/auctions/sale.ts'
import { awarded, copied, givenWith, soldTo } from '#tests/support/auctions/sold.ts'
import { scratchFolder } from '#tests/support/files/scratch.ts'
import { fetchBytes } from '#tests/support/files/stores.ts'
import { textOfPdf } from '#tests/support/payments/pdf-text.ts'
import { openYard } from '#tests/support/yard.ts'

const dataDir = await scratchFolder('papers')
const yard = await openYard({ env: { DATA_DIR: dataDir } })
const files = diskStore({ folder: path.join(dataDir, 'files'), secret: '' })
const storedAs = { contentType: 'application/pdf', size: 8, disposition: 'attachment', cacheControl: 'no-store' }
// two hundred at once wait for four connections: on a busy machine as long as the test may take
const pool = openPool(yard.databaseUrl, 4, { connectionTimeoutMillis: 0 })
const db = openDatabase(yard.databaseUrl, 2)
after(async () => {
  try {
    assert.deepEqual(
      (await findViolations(yard.owner)).filter(({ rule }) => rule.startsWith('36')),
      [],
    )
  } finally {
    await pool.end()
    await db.destroy()
    await yard.close()
  }
})

const seller = await newMember(yard, { company_name: 'Smith Metals Ltd', first_name: 'Łukasz', surname: 'Żak' })
const buyer = await newMember(yard, { company_name: 'Northern Recyclers Ltd' })
await insert(yard.owner, 'onboarding_profiles', {
  user_id: seller.id,
  activities: ['scrap_metal_dealer'],
  company_number: '01234567',
  licence_number: 'SMD/2211',
  licence_council: 'Manchester City Council',
  waste_carrier_number: 'CBDU123456',
})
const at = new Date('2026-11-15T16:00:00Z')

const sold = (more: Partial<Parameters<typeof soldTo>[1]> = {}) => soldTo(yard.owner, { seller: seller.id, buyer: buyer.id, ...more })
const issue = (order: Omit<PaperOrder, 'at'>) => inTransaction(pool, (client) => issuePaper(client, { ...order, at }))

async function issued(order: Omit<PaperOrder, 'at'>) {
  const paper = await issue(order)
  assert.ok(paper)
  return paper
}

async function read(id: string): Promise<Buffer> {
  const { status, bytes } = await fetchBytes(yard, `/api/v1/papers/${id}`, buyer.client)
  assert.equal(status, 200, bytes.toString())
  return bytes
}
const textOf = async (id: string) => textOfPdf(await read(id))

test('an invoice prints both parties, the goods and the award to the penny, and the same bytes every time', async () => {
  const { awardId } = await sold({ price: 5_225_33 })
  const paper = await issued({ awardId, kind: 'invoice' })
  const { rows } = await yard.owner.query('select goods, vat, total from awards where id = $1', [awardId])
  assert.equal(paper.total, rows[0].total)
  const text = await textOf(paper.id)
  for (const words of [
    'VAT invoice',
    paper.number ?? '',
    'Smith Metals Ltd',
    'Łukasz Żak',
    'Company number 01234567',
    'VAT number GB123456789',
    'Northern Recyclers Ltd',
    'Bright copper wire',
    '12.4 t',
    '£5,225.33 / t',
    formatPence(rows[0].goods),
    'VAT at 20%',
    formatPence(rows[0].vat),
    formatPence(rows[0].total),
    'Issued by Yardbid for Smith Metals Ltd.',
  ])
    assert.ok(text.split('\n').includes(words), `${words} is not in:\n${text}`)
  assert.deepEqual(await read(paper.id), await read(paper.id))
  const raw = (await read(paper.id)).toString('latin1')
  assert.match(raw, /\/Lang \(en-GB\)/)
  assert.match(raw, /\/MarkInfo/)
  assert.equal(raw.match(/\/Type \/Page\n/g)?.length, 1)
})

test('a seller who is not VAT registered gets an invoice without VAT', async () => {
  const { awardId } = await sold({ award: { charges_vat: false } })
  const text = await textOf((await issued({ awardId, kind: 'invoice' })).id)
  assert.match(text, /^Invoice$/m)
  assert.doesNotMatch(text, /VAT (at|invoice)/)
  assert.match(text, /not registered for VAT/)
})

test('a sale that the seller invoiced gets no second invoice from us', async () => {
  const { awardId, listingId } = await sold()
  const place = { step: 'upload_invoice', field: 'invoice', kind: storageObjectKinds.Invoice }
  await givenWith(yard.owner, { listingId, giver: seller.id, ...place })
  assert.equal(await issue({ awardId, kind: 'invoice' }), null)
})

test('issuing twice gives the same paper, also at once, and takes one number', async () => {
  const { awardId } = await sold()
  const papers = await Promise.all(Array.from({ length: 10 }, () => issued({ awardId, kind: 'invoice' })))
  assert.equal(new Set(papers.map(({ id }) => id)).size, 1)
})

test('200 invoices of one seller at once are numbered without a gap and without a double; a step that fails takes no number', async () => {
  const own = await newMember(yard)
  const sales = await copied(yard.owner, await soldTo(yard.owner, { seller: own.id, buyer: buyer.id }), 200)
  const failing = await soldTo(yard.owner, { seller: own.id, buyer: buyer.id })
  const lost = inTransaction(pool, async (client) => {
    await issuePaper(client, { awardId: failing.awardId, kind: 'invoice', at })
    throw new Error('the step failed')
  })
  await Promise.all([assert.rejects(lost, /the step failed/), ...sales.map((awardId) => issued({ awardId, kind: 'invoice' }))])
  const { rows } = await yard.owner.query<{ nth: number; number: string }>(
    `select nth, number from papers where series = $1 order by nth`,
    [`invoice:${own.id}`],
  )
  assert.deepEqual(
    rows.map(({ nth }) => nth),
    Array.from({ length: 200 }, (_, nth) => nth + 1),
  )
  assert.equal(new Set(rows.map(({ number }) => number)).size, 200)
  assert.match(rows[199]?.number ?? '', /^INV-\d+-0200$/)
})

async function amended(
  awardId: string,
  nth: number,
  { found, change }: { found: string; change: { goods: number; vat: number; total: number } },
) {
  await yard.owner.query(
    `insert into amends (award_id, nth, lines, goods, vat, total, difference, weight_only, weight_off, has_ticket, status)
     select id, $2, jsonb_build_array(jsonb_build_object('type', 'weight', 'listed', '12400', 'found', $3::text)),
            goods + $4, vat + $5, total + $6, $6, true, 2.8, true, 'approved'
     from awards where id = $1`,
    [awardId, nth, found, change.goods, change.vat, change.total],
  )
  await yard.owner.query('update awards set goods = goods + $2, vat = vat + $3, total = total + $4 where id = $1', [
    awardId,
    change.goods,
    change.vat,
    change.total,
  ])
}

test('the paper of an amend names the invoice, what was found, and the exact difference; a second amend has a paper of its own', async () => {
  const { awardId } = await sold()
  const invoice = await issued({ awardId, kind: 'invoice' })
  await amended(awardId, 1, { found: '12050', change: { goods: -100_01, vat: -20_00, total: -120_01 } })
  const note = await issued({ awardId, kind: 'credit_note' })
  assert.deepEqual(await issued({ awardId, kind: 'credit_note' }), note)
  assert.equal(note.total, 120_01)
  const text = await textOf(note.id)
  for (const words of ['VAT credit note', '£100.01', '£20.00', '£120.01', 'Total credited']) assert.ok(text.includes(words), words)
  assert.match(text, new RegExp(`${invoice.number} of`))
  assert.match(text, /12400 kg listed, 12050 kg found/)
  assert.match(note.number ?? '', /^CN-/)

  await amended(awardId, 2, { found: '12100', change: { goods: 10_00, vat: 2_00, total: 12_00 } })
  const further = await issued({ awardId, kind: 'supplementary_invoice' })
  assert.equal(further.total, 12_00)
  assert.match(further.number ?? '', /^INV-/)
  assert.match(await textOf(further.id), /^VAT supplementary invoice$/m)
})

test('without an amend there is no credit note over a difference', async () => {
  const { awardId } = await sold()
  await assert.rejects(issue({ awardId, kind: 'credit_note' }), /has no amend/)
})

test('a sale that ends unexchanged credits the invoice that we issued, once; without one there is nothing to credit', async () => {
  const { awardId } = await sold()
  const credit = () => inTransaction(pool, (client) => creditInvoice(client, awardId, at))
  assert.equal(await credit(), null)
  const invoice = await issued({ awardId, kind: 'invoice' })
  const note = await credit()
  assert.equal(note?.total, invoice.total)
  assert.deepEqual(await credit(), note)
})

test('what a return has credited, by us or by the seller’s own note, is not credited a second time', async () => {
  const ours = await sold()
  await issued({ awardId: ours.awardId, kind: 'invoice' })
  await issued({ awardId: ours.awardId, kind: 'return_credit_note' })
  const own = await sold()
  await issued({ awardId: own.awardId, kind: 'invoice' })
  const place = { step: 'confirm_return', field: 'return_credit_note', kind: storageObjectKinds.ListingReturnCreditNote }
  await givenWith(yard.owner, { listingId: own.listingId, giver: seller.id, ...place })
  for (const { awardId } of [ours, own]) assert.equal(await inTransaction(pool, (client) => creditInvoice(client, awardId, at)), null)
})

test('a waste transfer note is a draft until the handover, and then has vehicle, weight and time', async () => {
  const { awardId, listingId } = await sold()
  await insert(yard.owner, 'exchanges', { award_id: awardId, slot: at, seller_weight_kg: 12_380 })
  const draft = await inTransaction(pool, (client) => draftWasteNote(client, awardId, at))
  assert.ok(draft)
  const papers = async () => (await papersOf(rowsOf(db), [listingId], buyer.id)).get(listingId) ?? []
  assert.deepEqual(
    (await papers()).map(({ id, number }) => [id, number]),
    [[draft.id, null]],
  )
  const before = await textOf(draft.id)
  for (const words of [
    'Draft',
    'Waste transfer note',
    '17 04 01',
    'SIC code 46.77',
    'Entered at the handover',
    '15 November 2026 at 16:00',
  ])
    assert.ok(before.split('\n').includes(words), `${words} is not in:\n${before}`)

  await yard.owner.query(`update exchanges set vehicle = 'AB12 CDE', received_at = $2, buyer_weight_kg = 12350 where award_id = $1`, [
    awardId,
    at,
  ])
  const note = await issued({ awardId, kind: 'waste_transfer_note' })
  const text = await textOf(note.id)
  assert.match(note.number ?? '', /^WTN-/)
  for (const words of ['AB12 CDE', '12.35 t (12,350 kg)', 'Transferred', 'Keep this note for two years.'])
    assert.ok(text.includes(words), words)
  assert.doesNotMatch(text, /Draft/)
  assert.deepEqual(
    (await papers()).map(({ number }) => number),
    [note.number],
  )
})

test('hazardous codes get a consignment note with the agencies’ code, goods that are not scrap no note at all', async () => {
  const batteries = await sold({ listing: { material_id: 'batteries' } })
  const note = await issued({ awardId: batteries.awardId, kind: 'waste_transfer_note' })
  assert.deepEqual([note.kind, note.number], ['consignment_note', 'SMITHM/00001'])
  const goods = await sold({ listing: { material_id: 'goods_tools', price_basis: 'lot' } })
  assert.equal(await issue({ awardId: goods.awardId, kind: 'waste_transfer_note' }), null)
})

test('a paper is read by the two parties of its own award and by admins, and is not there for anybody else', async () => {
  const { listingId, awardId: first } = await sold()
  const earlier = await issued({ awardId: first, kind: 'invoice' })
  const next = await newMember(yard)
  const { awardId } = await awarded(yard.owner, { listingId, buyer: next.id, price: 5_000_00 })
  const paper = await issued({ awardId, kind: 'invoice' })
  const loser = await newMember(yard)
  const stranger = await newMember(yard)
  const admin = await newMember(yard, { role: 'admin' })
  const table = [
    ['seller', seller.client, 200, 200],
    ['buyer', next.client, 200, 404],
    ['earlier buyer of the same listing', buyer.client, 404, 200],
    ['losing bidder', loser.client, 404, 404],
    ['stranger', stranger.client, 404, 404],
    ['visitor', yard.client(), 401, 401],
    ['admin', admin.client, 200, 200],
  ] as const
  await yard.owner.query(
    `insert into bids (listing_id, seq, bidder_id, amount, max_amount, price_after, leader_after, accepted_at, expires_at)
     values ($1, 9, $2, 100, 100, 100, $2, app_now(), app_now() + interval '1 hour')`,
    [listingId, loser.id],
  )
  for (const [who, client, own, others] of table) {
    assert.equal((await client.get(`/api/v1/papers/${paper.id}`)).status, own, `${who}: the paper`)
    assert.equal((await client.get(`/api/v1/papers/${earlier.id}`)).status, others, `${who}: the earlier buyer's`)
  }
  for (const id of ['x', '%00', awardId]) assert.equal((await admin.client.get(`/api/v1/papers/${id}`)).status, 404)
})

test('each upload of a sale is read by both parties of that sale alone, as the table of SPEC’s storage kinds says', async () => {
  const { listingId } = await sold()
  const next = await newMember(yard)
  const stranger = await newMember(yard)
  const admin = await newMember(yard, { role: 'admin' })
  const before = await givenWith(yard.owner, {
    listingId,
    giver: seller.id,
    kind: storageObjectKinds.Invoice,
    step: 'upload_invoice',
    field: 'invoice',
  })
  await awarded(yard.owner, { listingId, buyer: next.id, price: 5_000_00 })
  const status = async (client: typeof buyer.client, id: string) => (await client.get(`/files/${id}/document.pdf`)).status
  const allowed = async (id: string) => Promise.all([seller, next, buyer, stranger, admin].map(({ client }) => status(client, id)))
  const stored = (id: string) => files.write(`ready/${id}/document.pdf`, Buffer.from('%PDF-1.7'), storedAs)
  await stored(before)
  assert.deepEqual(await allowed(before), [200, 404, 200, 404, 200])
  for (const { kind, by, steps, field, paper } of uploadPlaces) {
    for (const step of steps ?? []) {
      const giver = by === 'seller' ? seller.id : next.id
      const id = await givenWith(yard.owner, { listingId, giver, kind: storageObjectKinds[kind], step, field })
      await stored(id)
      assert.deepEqual(await allowed(id), [200, 200, 404, 404, 200], `${step} ${field}`)
      assert.equal(await status(yard.client(), id), 404)
      const shown = async (viewer: string) => (await papersOf(rowsOf(db), [listingId], viewer)).get(listingId)?.find((one) => one.id === id)
      assert.deepEqual(
        [(await shown(seller.id))?.kind, (await shown(next.id))?.by, (await shown(next.id))?.url, await shown(buyer.id)],
        [paper, by, `/files/${id}/document.pdf`, undefined],
      )
    }
  }
})

test('a PDF that was changed in the store is not handed out; one that was lost is drawn again, the same', async () => {
  const { awardId } = await sold()
  const { id } = await issued({ awardId, kind: 'invoice' })
  await yard.jobsDone()
  const paper = await findPaper(db, id)
  assert.ok(paper?.sha256)
  const pdf = await readPdf({ db, files }, paper)
  const key = `papers/${id}/${paper.sha256.toString('hex')}.pdf`
  assert.ok(await files.head(key))
  await files.remove(key)
  await files.write(key, Buffer.from('not this'), storedAs)
  await assert.rejects(readPdf({ db, files }, paper), /not the one that was issued/)
  await files.remove(key)
  assert.deepEqual(await readPdf({ db, files }, paper), pdf)
  await assert.rejects(yard.owner.query(`update papers set sha256 = sha256('y') where id = $1`, [id]), /is final/)
  await assert.rejects(pool.query('update papers set total = 1 where id = $1', [id]), /permission denied/)
  await assert.rejects(pool.query('delete from papers where id = $1', [id]), /permission denied/)
})

test('a paper that nobody has drawn yet is drawn by its first download, and many at once get the same bytes', async () => {
  const { awardId } = await sold()
  const { id } = await issued({ awardId, kind: 'invoice' })
  const copies = await Promise.all(Array.from({ length: 8 }, () => read(id)))
  for (const copy of copies) assert.deepEqual(copy, copies[0])
})

test('the sweep of the store leaves the PDFs of papers, and removes a file that no paper has', async () => {
  const { awardId } = await sold()
  const { id } = await issued({ awardId, kind: 'invoice' })
  await read(id)
  const stray = `papers/${id}/${'0'.repeat(64)}.pdf`
  await files.write(stray, Buffer.from('not this'), storedAs)
  const paper = await findPaper(db, id)
  await yard.travel('25 hours')
  await yard.owner.query(`delete from jobs where kind = 'sweep_storage'`)
  await enqueue(db, 'sweep_storage', {})
  await yard.jobsDone()
  await yard.travel('0 seconds')
  assert.equal(await files.head(stray), undefined)
  assert.ok(await files.head(`papers/${id}/${paper?.sha256?.toString('hex')}.pdf`))
})
