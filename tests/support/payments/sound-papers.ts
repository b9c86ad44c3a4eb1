import type pg from 'pg'
import { completeRecords, issuePaper, writeRecords } from '#server/features/papers/public.ts'

/** The papers and records of a sold listing, made by the product's own hands: an amend lowers it by £12.00, and then it goes back. */
export async function soundPapers(owner: pg.ClientBase, listingId: string): Promise<void> {
  const at = new Date('2026-11-15T16:00:00Z')
  const { rows } = await owner.query<{ id: string }>('select id from awards where listing_id = $1', [listingId])
  const awardId = rows[0]?.id ?? ''
  await issuePaper(owner, { awardId, kind: 'invoice', at })
  await owner.query(
    `insert into amends (award_id, nth, lines, goods, vat, total, difference, weight_only, weight_off, has_ticket, status)
     select id, 1, '[]', goods - 1200, vat, total - 1200, -1200, true, 1, true, 'approved' from awards where id = $1`,
    [awardId],
  )
  await owner.query('update awards set goods = goods - 1200, total = total - 1200 where id = $1', [awardId])
  await issuePaper(owner, { awardId, kind: 'credit_note', at })
  await issuePaper(owner, { awardId, kind: 'return_credit_note', at })
  await writeRecords(owner, awardId, 'receipt', at)
  await completeRecords(owner, awardId)
}

const invoice = `kind = 'invoice'`
const resealed = (change: string, where: string) => [
  `update papers set ${change} where ${where}`,
  `update papers p set seal = paper_seal(p) where ${where}`,
]

/** Each breaks one rule of the papers on purpose. */
export const paperBreaks: [rule: string, statements: string[]][] = [
  ['36: papers: the numbers', [`update paper_series set last_nth = last_nth + 1 where key like 'invoice:%'`]],
  ['36: papers: the numbers', resealed('nth = 9', invoice)],
  ['36: papers: no two have', resealed(`number = 'INV-1-1'`, invoice)],
  ['36: papers: no two have', resealed(`number = 'X', data = jsonb_set(data, '{number}', '"X"')`, 'total is not null')],
  ['36: papers: what is printed', resealed('total = total + 1', invoice)],
  ['36: papers: what is printed', resealed(`data = jsonb_set(data, '{lines,0,amount}', '1')`, invoice)],
  [
    '36: papers: that of an amend',
    [`update amends set difference = 1200`, `update awards set total = total + 2400 where id in (select award_id from amends)`],
  ],
  ['36: papers: that of an amend', resealed(`reference = 'cancelled'`, `kind = 'credit_note'`)],
  ['36: papers: none was changed', [`update papers set data = jsonb_set(data, '{notes}', '[]') where ${invoice}`]],
  ['36: records: a handover', [`delete from scrap_records where kind = 'disposal'`]],
  ['36: records: a handover', [`update scrap_records set kept_until = at::date`]],
]
