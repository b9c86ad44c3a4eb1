import type { IssuedKind } from '#domain/papers/printed-paper.ts'
import type { Executor } from '#server/features/sales/effects/executor.ts'
import type { TakenStep } from '#server/features/sales/life/taken-step.ts'
import { completeRecords, creditInvoice, draftWasteNote, issuePaper, writeRecords } from '#server/features/papers/public.ts'

// What steps do to papers and to the records that the law asks for.

type OneStep = (client: Parameters<Executor>[0], awardId: string, step: TakenStep) => Promise<unknown>

const each =
  (work: OneStep): Executor =>
  async (client, taken) => {
    // by seller: a series of numbers is locked until the commit, and two batches that lock several take them in one order
    const bySeller = taken.toSorted((one, other) => one.seller_id.localeCompare(other.seller_id))
    for (const step of bySeller) if (step.award_id !== null) await work(client, step.award_id, step)
  }

const issue = (kind: IssuedKind) => each((client, awardId, { at }) => issuePaper(client, { awardId, kind, at }))

export const paperEffects = {
  issue_invoice: issue('invoice'),
  credit_invoice: each((client, awardId, { at }) => creditInvoice(client, awardId, at)),
  issue_supplementary_invoice: issue('supplementary_invoice'),
  issue_credit_note: issue('credit_note'),
  issue_return_credit_note: issue('return_credit_note'),
  draft_waste_note: each((client, awardId, { at }) => draftWasteNote(client, awardId, at)),
  complete_waste_note: issue('waste_transfer_note'),
  write_records: each((client, awardId, { at }) => writeRecords(client, awardId, 'receipt', at)),
  complete_records: each((client, awardId) => completeRecords(client, awardId)),
  write_return_records: each((client, awardId, { at }) => writeRecords(client, awardId, 'return', at)),
} satisfies Record<string, Executor>
