import type { PaperKind } from '#contract/values/storage-kinds.ts'
import { inLondon } from '#domain/format-time.ts'
import type { Pence } from '#domain/money.ts'

// What stands on a paper. It is stored as it was issued; drawing it only arranges it on the page.

export type Fact = { label: string; value: string }

export type PrintedPaper = {
  title: string
  /** Null on a draft and on a record. */
  number: string | null
  /** Printed across the head. */
  mark: 'Draft' | null
  issued_at: string
  facts: Fact[]
  parties: { heading: string; lines: string[] }[]
  lines: { description: string; detail: string; quantity: string; price: string; amount: Pence }[]
  totals: { label: string; amount: Pence }[]
  sections: { heading: string; facts: Fact[] }[]
  notes: string[]
}

/** A company as it stood on the day, for papers and records that outlive the account. */
export type TradeParty = {
  company_name: string
  contact_name: string
  address: string[]
  business_activity: string | null
  vat_number: string | null
  company_number: string | null
  licence: string | null
  waste_carrier_number: string | null
}

/** Kinds that we issue. */
export type IssuedKind = Extract<
  PaperKind,
  'invoice' | 'supplementary_invoice' | 'credit_note' | 'return_credit_note' | 'waste_transfer_note' | 'consignment_note'
>

/** Which series of its seller a paper is numbered in. */
export const seriesOf: Record<IssuedKind, string> = {
  invoice: 'invoice',
  supplementary_invoice: 'invoice',
  credit_note: 'credit_note',
  return_credit_note: 'credit_note',
  waste_transfer_note: 'waste_transfer_note',
  consignment_note: 'consignment_note',
}

const prefixes: Record<string, string> = { invoice: 'INV', credit_note: 'CN', waste_transfer_note: 'WTN' }

/** 'INV-1001-0007': what it is, whose series, and the how manieth. A consignment note has the form that the agencies ask for. */
export function printedNumber(kind: IssuedKind, { no, nth, company }: { no: number; nth: number; company: string }): string {
  if (kind === 'consignment_note') return consignmentCode(company, nth)
  return `${prefixes[seriesOf[kind]]}-${no}-${String(nth).padStart(4, '0')}`
}

/** Six letters or digits of the consignor's name, a stroke, and five digits. */
const consignmentCode = (company: string, nth: number) => {
  const plain = company
    .normalize('NFKD')
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
  return `${plain.slice(0, 6).padEnd(6, 'X')}/${String(nth).padStart(5, '0')}`
}

const dayAndTime = inLondon({ day: 'numeric', month: 'long', year: 'numeric', hour: '2-digit', minute: '2-digit' })

/** '15 November 2026 at 16:00'. */
export const printedTime = (at: Date): string => dayAndTime.format(at)

export const NOT_STATED = 'Not stated'

/** A fact that is left out when there is nothing to say. */
export const factOf = (label: string, value: string | null | undefined): Fact[] => (value ? [{ label, value }] : [])

/** Text that was typed on many lines must not take as many on the page. */
export const onOneLine = (text: string): string =>
  text
    .trim()
    .split(/\s*\n\s*/)
    .join(', ')

/** Names and address, then the registrations of one that has them. */
export const partyLines = (party: TradeParty, { showsVat = false }: { showsVat?: boolean } = {}): string[] => [
  party.company_name,
  ...(party.contact_name && party.contact_name !== party.company_name ? [party.contact_name] : []),
  ...party.address,
  ...(party.company_number ? [`Company number ${party.company_number}`] : []),
  ...(showsVat && party.vat_number ? [`VAT number ${party.vat_number}`] : []),
]
