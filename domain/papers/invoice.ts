import { materials, type MaterialId } from '#contract/values/materials.ts'
import { formatPrice, formatWeight } from '#domain/format.ts'
import { formatDay } from '#domain/format-time.ts'
import { shareOfVat, type Owed } from '#domain/money.ts'
import { partyLines, type IssuedKind, type PrintedPaper } from '#domain/papers/printed-paper.ts'
import type { SaleOnPaper } from '#domain/papers/sale-papers.ts'

// Invoices and credit notes, issued by the platform in the seller's name (RULES §4 "Invoices").

export type MoneyKind = Exclude<IssuedKind, 'waste_transfer_note' | 'consignment_note'>

type AmendLineOnPaper = { type: 'weight' | 'grade' | 'contamination'; listed: string; found: string }

const amendWords: Record<AmendLineOnPaper['type'], (value: string) => string> = {
  weight: (value) => (/^\d+$/.test(value) ? `${value} kg` : value),
  grade: (value) => `grade ${value}`,
  contamination: (value) => (/^[\d.]+$/.test(value) ? `${value}% contamination` : `contamination ${value}`),
}

export type InvoiceTerms = {
  kind: MoneyKind
  number: string
  issuedAt: Date
  /** What an invoice adds or a note credits; without it the whole sale. */
  difference?: Owed | undefined
  /** The invoice that a later paper is about; null where the seller issued it. */
  about?: { number: string | null; issued_at: Date | null } | undefined
  amendLines?: readonly AmendLineOnPaper[] | undefined
}

const titles: Record<MoneyKind, string> = {
  invoice: 'Invoice',
  supplementary_invoice: 'Supplementary invoice',
  credit_note: 'Credit note',
  return_credit_note: 'Credit note',
}

const isCredit = (kind: MoneyKind) => kind === 'credit_note' || kind === 'return_credit_note'

/** The amounts of a paper, never below zero: a credit note states what it credits. */
export function amountsOnPaper({ award }: SaleOnPaper, difference: Owed | undefined): Owed {
  const { goods, vat, total } = difference ?? award
  const amounts = { goods: Math.abs(goods), vat: Math.abs(vat), total: Math.abs(total) }
  if (amounts.goods + amounts.vat !== amounts.total) throw new Error('goods and VAT of a paper must add up to its total')
  return amounts
}

/** The VAT within a sum that was given back: rounded half to even, the remainder to the goods. */
export function splitTotal(total: number, { vat_rate, charges_vat }: Pick<SaleOnPaper['award'], 'vat_rate' | 'charges_vat'>): Owed {
  const vat = charges_vat ? shareOfVat(total, vat_rate) : 0
  return { goods: total - vat, vat, total }
}

export function invoicePaper(sale: SaleOnPaper, terms: InvoiceTerms): PrintedPaper {
  const { award, seller, buyer } = sale
  const { kind, number, issuedAt, about } = terms
  const { goods, vat, total } = amountsOnPaper(sale, terms.difference)
  return {
    title: award.charges_vat ? withVat(titles[kind]) : titles[kind],
    number,
    mark: null,
    issued_at: issuedAt.toISOString(),
    facts: [
      { label: 'Number', value: number },
      { label: 'Date of issue', value: formatDay(issuedAt) },
      ...(award.charges_vat && !isCredit(kind) ? [{ label: 'Tax point', value: formatDay(issuedAt) }] : []),
      ...(about ? [{ label: 'About invoice', value: aboutWords(about, seller.company_name) }] : []),
      { label: 'Sale', value: saleReference(award.id) },
    ],
    parties: [
      { heading: 'Seller', lines: partyLines(seller, { showsVat: award.charges_vat }) },
      { heading: 'Buyer', lines: partyLines(buyer, { showsVat: true }) },
    ],
    lines: [lineOf(sale, terms, goods)],
    totals: [
      ...(award.charges_vat
        ? [
            { label: 'Net', amount: goods },
            { label: `VAT at ${award.vat_rate}%`, amount: vat },
          ]
        : []),
      { label: isCredit(kind) ? 'Total credited' : 'Total', amount: total },
    ],
    sections: [],
    notes: [`Issued by Yardbid for ${seller.company_name}.`, ...termsOf(sale, kind), ...vatNotes(award.charges_vat)],
  }
}

const withVat = (title: string) => (title === 'Invoice' ? 'VAT invoice' : `VAT ${title.toLowerCase()}`)

const aboutWords = ({ number, issued_at }: NonNullable<InvoiceTerms['about']>, seller: string) =>
  number && issued_at ? `${number} of ${formatDay(issued_at)}` : `the invoice of ${seller}`

/** The last twelve digits are enough to find a sale by. */
export const saleReference = (awardId: string) => awardId.slice(-12).toUpperCase()

function lineOf({ listing, award }: SaleOnPaper, { kind, amendLines = [] }: InvoiceTerms, goods: number): PrintedPaper['lines'][number] {
  const changes = amendLines.map(({ type, listed, found }) => `${amendWords[type](listed)} listed, ${amendWords[type](found)} found`)
  const line = { description: listing.title, detail: [goodsWords(listing), ...changes].join('\n'), quantity: '', price: '', amount: goods }
  // a later paper is about an amount, not about a quantity at a price
  if (kind !== 'invoice') return line
  const quantity = listing.price_basis === 'tonne' && listing.weight_kg !== null ? formatWeight(listing.weight_kg) : '1 lot'
  return { ...line, quantity, price: formatPrice(award.price, listing.price_basis) }
}

/** 'Copper, Bright'. */
export function materialWords({ material_id }: { material_id: MaterialId }): string {
  const { group, name } = materials[material_id]
  return group === name ? name : `${group}, ${name}`
}

function goodsWords(listing: SaleOnPaper['listing']): string {
  const { grade, ewc_code, material_id } = listing
  const code = ewc_code ?? materials[material_id].ewc_code
  return [materialWords(listing), ...(grade ? [`grade ${grade}`] : []), ...(code ? [`EWC ${code}`] : [])].join(' · ')
}

function termsOf({ award }: SaleOnPaper, kind: MoneyKind): string[] {
  if (isCredit(kind)) return ['The amount goes back to where the payment came from, or lowers what is still due.']
  if (kind === 'supplementary_invoice') return ['Payable to Yardbid, which holds the money for the seller.']
  if (award.paid_at) return [`Paid in full on ${formatDay(award.paid_at)}.`]
  if (award.deferred_days) return [`Sold on deferred terms: payable within ${award.deferred_days} days of the goods being accepted.`]
  return ['Payable to Yardbid, which holds the money for the seller.']
}

const vatNotes = (chargesVat: boolean) => (chargesVat ? [] : ['The seller is not registered for VAT: no VAT is charged.'])
