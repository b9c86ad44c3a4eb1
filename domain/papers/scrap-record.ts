import type { MaterialId } from '#contract/values/materials.ts'
import { formatPence, formatWeight } from '#domain/format.ts'
import { formatDay } from '#domain/format-time.ts'
import { materialWords, saleReference } from '#domain/papers/invoice.ts'
import { factOf, NOT_STATED, onOneLine, partyLines, printedTime, type PrintedPaper, type TradeParty } from '#domain/papers/printed-paper.ts'
import type { WeighedBy } from '#domain/papers/sale-papers.ts'
import { weighedBy } from '#domain/papers/waste-note.ts'

// Records of the Scrap Metal Dealers Act 2013 (RULES §7).

export type IdentityEvidence = { source: string; reference: string | null; date: string | null }

export type ScrapRecord = {
  id: string
  award_id: string
  kind: 'receipt' | 'disposal'
  cause: 'sale' | 'return'
  at: Date
  keeper: TradeParty
  counterparty: TradeParty
  carrier: TradeParty
  material_id: MaterialId
  title: string
  grade: string | null
  condition: string | null
  ewc_code: string | null
  marks: string | null
  vehicle: string | null
  identity_evidence: IdentityEvidence[]
  weight_kg: number | null
  weight_from: WeighedBy | null
  price: number
  paid_by: string
  paid_how: string
  payment_reference: string | null
  kept_until: string
  completed_at: Date | null
}

export type Handover = 'receipt' | 'return'

/** Whose record a handover writes: who takes the goods has a receipt, who gives them a disposal. */
export const recordsOf: Record<Handover, { cause: ScrapRecord['cause']; receipt: 'seller' | 'buyer'; disposal: 'seller' | 'buyer' }> = {
  receipt: { cause: 'sale', receipt: 'buyer', disposal: 'seller' },
  return: { cause: 'return', receipt: 'seller', disposal: 'buyer' },
}

const titles = { receipt: 'Record of receipt', disposal: 'Record of disposal' }
const sections = { receipt: 's.13', disposal: 's.14' }
const others = { receipt: 'Received from', disposal: 'Disposed of to' }

export function recordPaper(record: ScrapRecord): PrintedPaper {
  const { kind, keeper, counterparty } = record
  return {
    title: titles[kind],
    number: null,
    mark: null,
    issued_at: record.at.toISOString(),
    facts: [
      { label: 'Required by', value: `Scrap Metal Dealers Act 2013, ${sections[kind]}` },
      { label: kind === 'receipt' ? 'Received' : 'Disposed of', value: printedTime(record.at) },
      { label: 'Sale', value: saleReference(record.award_id) },
      { label: 'Keep until', value: formatDay(new Date(`${record.kept_until}T12:00:00Z`)) },
    ],
    parties: [
      { heading: 'Record of', lines: dealerLines(keeper) },
      { heading: others[kind], lines: dealerLines(counterparty) },
    ],
    lines: [],
    totals: [],
    sections: [
      {
        heading: 'The metal',
        facts: [
          { label: 'Type', value: materialWords(record) },
          { label: 'Description', value: record.title },
          ...factOf('Grade', record.grade),
          { label: 'Form and condition', value: record.condition ?? NOT_STATED },
          { label: 'Weight', value: weightWords(record) },
          { label: 'Marks', value: record.marks ? onOneLine(record.marks) : 'None noted' },
          ...factOf('EWC code', record.ewc_code),
          { label: 'Vehicle', value: record.vehicle ?? NOT_STATED },
        ],
      },
      {
        heading: record.cause === 'return' ? 'The payment that is given back' : 'The payment',
        facts: [
          { label: 'Price', value: formatPence(record.price) },
          { label: 'Paid by', value: record.paid_by },
          { label: 'How', value: record.paid_how },
          ...factOf('Reference', record.payment_reference),
        ],
      },
      { heading: 'Identity of the other party', facts: evidenceFacts(record.identity_evidence) },
    ],
    notes: [
      ...(record.completed_at ? [] : ['Weight, price and payment may still change until the exchange ends.']),
      'No cash was paid or taken.',
      'Whoever receives scrap metal stays responsible for verifying the name and address of the supplier (section 11).',
    ],
  }
}

const dealerLines = (party: TradeParty) => [...partyLines(party), ...(party.licence ? [`Licence ${party.licence}`] : [])]

const weightWords = ({ weight_kg, weight_from }: ScrapRecord) =>
  weight_kg === null || weight_from === null ? 'Not weighed yet' : `${formatWeight(weight_kg)} ${weighedBy[weight_from]}`

const evidenceFacts = (evidence: readonly IdentityEvidence[]) =>
  evidence.length === 0
    ? [{ label: 'Evidence', value: 'None on file' }]
    : evidence.map(({ source, reference, date }) => ({
        label: source,
        value: [reference, date && `checked ${formatDay(new Date(date))}`].filter(Boolean).join(', ') || 'On file',
      }))
