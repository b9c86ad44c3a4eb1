import { divideHalfEven, LARGEST_PAYMENT, percentOf, type Owed, type Pence } from '#domain/money.ts'

// RULES §4, Amends: what a sale comes to with what the buyer found. The form computes it while it is typed, the server when it is sent.

export type AmendLine = {
  type: 'weight' | 'grade' | 'contamination'
  listed: string
  found: string
  /** Pence that a grade adds to the goods; below zero it takes them off. Weight and contamination are computed, whatever is sent. */
  price_effect?: Pence | undefined
}

export type AmendedSale = {
  /** Before the amend, as the buyer owes them now. */
  goods: Pence
  /** In per cent, frozen with the award. */
  vat_rate: number
  charges_vat: boolean
  weight_kg: number | null
  grade: string | null
  lines: readonly AmendLine[]
}

/** `difference`: what it adds to the total; below zero it lowers it. */
export type AmendedAmounts = Owed & { difference: Pence }
/** `at` is the field that is wrong: 'lines', or 'lines.1.found'. */
export type AmendError = { error: string; at: string }

/** Goods × found ÷ listed weight, less the contamination, plus the effect of the grade; rounded once, half to even. */
export function amendedAmounts(sale: AmendedSale): AmendedAmounts | AmendError {
  const { lines, vat_rate, charges_vat } = sale
  if (lines.length === 0) return { at: 'lines', error: 'Add at least one line' }
  const seen = new Set<AmendLine['type']>()
  let share: Share = { of: 1n, in: 1n }
  let effect = 0n
  for (const [nth, line] of lines.entries()) {
    if (seen.has(line.type)) return { at: `lines.${nth}.type`, error: `There can be one line for the ${line.type}` }
    seen.add(line.type)
    const read = readers[line.type](line, sale)
    if ('error' in read) return { at: `lines.${nth}.${read.at}`, error: read.error }
    share = { of: share.of * read.share.of, in: share.in * read.share.in }
    effect += BigInt(read.effect)
  }

  const exact = BigInt(sale.goods) * share.of + effect * share.in
  const goods = exact > 0n ? divideHalfEven(exact, share.in) : 0
  if (goods <= 0) return { at: 'lines', error: 'Nothing would be left to pay. Start a return instead.' }
  const vatOn = (amount: Pence) => (charges_vat ? percentOf(amount, vat_rate) : 0)
  const vat = vatOn(goods)
  const total = goods + vat
  if (total > LARGEST_PAYMENT) return { at: 'lines', error: 'With VAT the total can be at most £999,999.99' }
  const difference = total - sale.goods - vatOn(sale.goods)
  if (difference === 0) return { at: 'lines', error: 'These lines do not change the price' }
  return { goods, vat, total, difference }
}

/** What the listing says of it: a line has to start from this. Null: the listing says nothing, and no line can be written. */
export const listedValue = (type: AmendLine['type'], { weight_kg, grade }: Pick<AmendedSale, 'weight_kg' | 'grade'>): string | null =>
  ({ weight: weight_kg === null ? null : String(weight_kg), grade: grade ?? '', contamination: '0' })[type]

/** A fraction that the goods are multiplied by. */
type Share = { of: bigint; in: bigint }
type ReadLine = { share: Share; effect: Pence }
type LineError = { at: 'listed' | 'found' | 'price_effect'; error: string }
type LineReader = (line: AmendLine, sale: AmendedSale) => ReadLine | LineError

const whole: Share = { of: 1n, in: 1n }
const HUNDRED_PERCENT = 10_000n // in hundredths of a per cent

const readers: Record<AmendLine['type'], LineReader> = {
  weight({ listed, found }, { weight_kg }) {
    if (weight_kg === null) return { at: 'listed', error: 'The listing states no weight, so it cannot be amended' }
    if (Number(listed) !== weight_kg) return { at: 'listed', error: `The listing says ${weight_kg} kg` }
    if (!/^\d{1,7}$/.test(found) || Number(found) === 0) return { at: 'found', error: 'Enter whole kilograms, at least 1' }
    return { share: { of: BigInt(found), in: BigInt(weight_kg) }, effect: 0 }
  },
  contamination({ listed, found }) {
    if (listed === '' || Number(listed) !== 0) return { at: 'listed', error: 'Listings state no contamination: 0' }
    const hundredths = /^\d{1,2}(\.\d{1,2})?$/.test(found) ? BigInt(Math.round(Number(found) * 100)) : null
    if (hundredths === null) return { at: 'found', error: 'Enter a percentage under 100, with up to two decimal places' }
    return { share: { of: HUNDRED_PERCENT - hundredths, in: HUNDRED_PERCENT }, effect: 0 }
  },
  grade({ listed, found, price_effect }, { grade }) {
    if (listed !== (grade ?? '')) return { at: 'listed', error: grade ? `The listing says ${grade}` : 'The listing states no grade' }
    if (found.trim() === '') return { at: 'found', error: 'Enter the grade that you found' }
    if (price_effect === undefined) return { at: 'price_effect', error: 'Enter what the grade changes' }
    const isAmount = Number.isInteger(price_effect) && Math.abs(price_effect) <= LARGEST_PAYMENT
    return isAmount ? { share: whole, effect: price_effect } : { at: 'price_effect', error: 'Enter an amount up to £999,999.99' }
  },
}
