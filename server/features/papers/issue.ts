import type pg from 'pg'
import { owed, type Owed } from '#domain/money.ts'
import { amountsOnPaper, invoicePaper, type InvoiceTerms, type MoneyKind } from '#domain/papers/invoice.ts'
import { printedNumber, seriesOf, type IssuedKind, type PrintedPaper } from '#domain/papers/printed-paper.ts'
import { isWaste, noteKindOf, wasteNote } from '#domain/papers/waste-note.ts'
import { rowsOn } from '#server/db/db.ts'
import { readSaleOnPaper, type ReadSale } from '#server/features/papers/sale-on-paper.ts'
import { enqueueOn } from '#server/jobs/queue.ts'

export type IssuedPaper = { id: string; kind: IssuedKind; number: string | null; total: number | null }

export type PaperOrder = {
  awardId: string
  kind: IssuedKind
  /**
   * What the paper is about where an award may have several of a kind. Issuing it twice gives the same paper. A credit note or a
   * supplementary invoice without one is about the amend that was approved last, and over its difference.
   */
  reference?: string
  /** The amounts of the paper, whatever their sign. Without them it is over the amend, or over the whole sale. */
  difference?: Owed
  at: Date
}

const DRAFT = 'draft'
const CANCELLED = 'cancelled'

/**
 * Issues a paper in the transaction of the step that asks for it. Null for a waste note about goods that are not waste, and for the
 * invoice of a sale that the seller invoiced. Of the two kinds of waste note, the listing's code decides which is issued.
 */
export async function issuePaper(client: pg.ClientBase, order: PaperOrder): Promise<IssuedPaper | null> {
  const sale = await readSaleOnPaper(rowsOn(client), order.awardId)
  if (order.kind === 'waste_transfer_note' || order.kind === 'consignment_note') {
    if (!isWaste(sale.listing)) return null
    const kind = noteKindOf(sale.listing)
    return write(client, { ...order, kind, sale, total: null, print: (number) => wasteNote(sale, { number, issuedAt: order.at }) })
  }
  if (order.kind === 'invoice' && (await hasGiven(client, order.awardId, 'upload_invoice'))) return null
  return issueMoneyPaper(client, sale, { ...order, kind: order.kind })
}

/** The note of a load that has not moved yet: without a number, and replaced by the one that the handover issues. */
export async function draftWasteNote(client: pg.ClientBase, awardId: string, at: Date): Promise<IssuedPaper | null> {
  const sale = await readSaleOnPaper(rowsOn(client), awardId)
  if (!isWaste(sale.listing)) return null
  const kind = noteKindOf(sale.listing)
  const row = { sale, kind, reference: DRAFT, total: null }
  const isWritten = await insert(client, { ...row, at, numbered: null, data: wasteNote(sale, { number: null, issuedAt: at }) })
  return isWritten ?? (await find(client, awardId, kind, DRAFT)) ?? null
}

/** A credit note over everything that our invoice charged, for a sale that ends unexchanged; null where we had issued none, or a return has credited it. */
export async function creditInvoice(client: pg.ClientBase, awardId: string, at: Date): Promise<IssuedPaper | null> {
  const invoice = await find(client, awardId, 'invoice', '')
  if (!invoice || (await isReturnCredited(client, awardId))) return null
  return issuePaper(client, { awardId, kind: 'credit_note', reference: CANCELLED, at })
}

/** By us, or by the seller's own credit note. */
const isReturnCredited = async (client: pg.ClientBase, awardId: string) =>
  (await find(client, awardId, 'return_credit_note', '')) !== undefined || hasGiven(client, awardId, 'confirm_return')

/** Whether a party gave a paper of its own with this step of the sale. */
async function hasGiven(client: pg.ClientBase, awardId: string, step: string): Promise<boolean> {
  const { rowCount } = await client.query('select from award_documents where award_id = $1 and step = $2', [awardId, step])
  return (rowCount ?? 0) > 0
}

async function issueMoneyPaper(client: pg.ClientBase, sale: ReadSale, given: PaperOrder & { kind: MoneyKind }): Promise<IssuedPaper> {
  const isOfAmend = (given.kind === 'credit_note' || given.kind === 'supplementary_invoice') && given.reference !== CANCELLED
  const amend = isOfAmend ? await findAmend(client, sale, given.reference) : undefined
  if (isOfAmend && !amend && !given.difference) throw new Error(`award ${sale.award.id} has no amend for a ${given.kind}`)
  const order = { ...given, reference: given.reference ?? amend?.id ?? '', difference: given.difference ?? amend?.difference }
  const { kind, at, difference } = order
  const { total } = amountsOnPaper(sale, difference)
  const about = kind === 'invoice' ? undefined : await findInvoice(client, sale.award.id)
  const print = (number: string) => invoicePaper(sale, { kind, number, issuedAt: at, difference, about, amendLines: amend?.lines })
  return write(client, { ...order, sale, total, print })
}

type Writing = PaperOrder & { sale: ReadSale; total: number | null; print: (number: string) => PrintedPaper }

/**
 * The series is locked before it is known whether the paper is there already: two who issue the same paper wait for each other here,
 * and the second takes no number.
 */
async function write(client: pg.ClientBase, { sale, kind, reference = '', total, at, print }: Writing): Promise<IssuedPaper> {
  const key = `${seriesOf[kind]}:${sale.sellerId}`
  await client.query('insert into paper_series (key) values ($1) on conflict do nothing', [key])
  const { rows } = await client.query<{ no: number; last_nth: number }>('select no, last_nth from paper_series where key = $1 for update', [
    key,
  ])
  const [series] = rows
  if (!series) throw new Error(`series ${key} is not there`)
  const already = await find(client, sale.award.id, kind, reference)
  if (already) return already
  const nth = series.last_nth + 1
  await client.query('update paper_series set last_nth = $2 where key = $1', [key, nth])
  const number = printedNumber(kind, { no: series.no, nth, company: sale.seller.company_name })
  const issued = await insert(client, { sale, kind, reference, total, at, numbered: { key, nth, number }, data: print(number) })
  if (!issued) throw new Error(`${kind} of award ${sale.award.id} was issued beside its series`)
  return issued
}

type NewPaper = Pick<Writing, 'sale' | 'kind' | 'at' | 'total'> & {
  reference: string
  numbered: { key: string; nth: number; number: string } | null
  data: PrintedPaper
}

async function insert(
  client: pg.ClientBase,
  { sale, kind, reference, total, at, numbered, data }: NewPaper,
): Promise<IssuedPaper | undefined> {
  const { rows } = await client.query<IssuedPaper>(
    `insert into papers (listing_id, award_id, kind, reference, is_draft, series, nth, number, total, data, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
     on conflict (award_id, kind, reference) do nothing
     returning id, kind, number, total`,
    [
      sale.listing.id,
      sale.award.id,
      kind,
      reference,
      numbered === null,
      numbered?.key ?? null,
      numbered?.nth ?? null,
      numbered?.number ?? null,
      total,
      JSON.stringify(data),
      at,
    ],
  )
  const [paper] = rows
  if (paper) await enqueueOn(client, 'draw_paper', [{ paper_id: paper.id }])
  return paper
}

async function find(client: pg.ClientBase, awardId: string, kind: IssuedKind, reference: string): Promise<IssuedPaper | undefined> {
  const { rows } = await client.query<IssuedPaper>(
    'select id, kind, number, total from papers where award_id = $1 and kind = $2 and reference = $3',
    [awardId, kind, reference],
  )
  return rows[0]
}

/** The invoice that a later paper is about: ours, or else the one that the seller issued. */
async function findInvoice(client: pg.ClientBase, awardId: string): Promise<InvoiceTerms['about']> {
  const { rows } = await client.query<{ number: string; issued_at: Date }>(
    `select number, created_at as issued_at from papers where award_id = $1 and kind = 'invoice'`,
    [awardId],
  )
  return rows[0] ?? { number: null, issued_at: null }
}

type AmendRow = Owed & { id: string; nth: number; lines: NonNullable<InvoiceTerms['amendLines']> }

/** An approved amend, the last one unless it is named, and what it changed: against the approved one before it, or the sale as it was won. */
async function findAmend(client: pg.ClientBase, { award, listing }: ReadSale, id: string | undefined) {
  const { rows } = await client.query<AmendRow>(
    `select id, nth, lines, goods, vat, total from amends where award_id = $1 and status = 'approved' order by nth`,
    [award.id],
  )
  const at = id === undefined ? rows.length - 1 : rows.findIndex((row) => row.id === id)
  const amend = rows[at]
  if (!amend) return undefined
  const { price_basis: basis, weight_kg } = listing
  const before = rows[at - 1] ?? owed(award.price, { basis, weight_kg, vatRate: award.vat_rate, isVatRegistered: award.charges_vat })
  const difference = { goods: amend.goods - before.goods, vat: amend.vat - before.vat, total: amend.total - before.total }
  return { id: amend.id, lines: amend.lines, difference }
}
