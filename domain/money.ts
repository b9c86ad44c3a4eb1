// Whole pence everywhere; rounding happens once, half to even, and only where a price meets a weight or a rate.

export type Pence = number

export type PriceBasis = 'lot' | 'tonne'

/** The card provider takes no more than this in one payment (RULES §3.1). */
export const LARGEST_PAYMENT: Pence = 99_999_999

/** The provider moves no less than this: a smaller difference is waived (RULES §4). */
export const LEAST_REFUND: Pence = 30

/** From an amount in pounds, as it is typed. */
export const penceOf = (pounds: number): Pence => Math.round(pounds * 100)

/** RULES §5: the price of a lot, or price × weight ÷ 1000 for a price by the tonne. */
export function goodsAmount(price: Pence, basis: PriceBasis, weight_kg: number | null): Pence {
  if (basis === 'lot') return price
  if (weight_kg === null) throw new Error('a price by the tonne needs a weight')
  return divideHalfEven(BigInt(price) * BigInt(weight_kg), 1_000n)
}

/** A rate in per cent with up to two decimal places, such as 20 or 2.5. */
export function percentOf(amount: Pence, rate: number): Pence {
  return divideHalfEven(BigInt(amount) * BigInt(Math.round(rate * 100)), 10_000n)
}

/** The VAT within an amount that includes it, at a rate in per cent. */
export function shareOfVat(total: Pence, rate: number): Pence {
  const hundredths = BigInt(Math.round(rate * 100))
  return divideHalfEven(BigInt(total) * hundredths, 10_000n + hundredths)
}

export type Owed = { goods: Pence; vat: Pence; total: Pence }

/** What a winner owes: VAT is added when the seller is registered for it. */
export function owed(price: Pence, sale: { basis: PriceBasis; weight_kg: number | null; vatRate: number; isVatRegistered: boolean }): Owed {
  const goods = goodsAmount(price, sale.basis, sale.weight_kg)
  const vat = sale.isVatRegistered ? percentOf(goods, sale.vatRate) : 0
  return { goods, vat, total: goods + vat }
}

/** RULES §4: a share of the total with VAT, within limits, and never more than the total itself. */
export const holdingFee = (total: Pence, { rate, least, most }: { rate: number; least: Pence; most: Pence }): Pence =>
  Math.min(total, most, Math.max(least, percentOf(total, rate)))

/** Of amounts that are not negative. In big integers: a million pounds by the tonne times a thousand tonnes is beyond what a double counts exactly. */
export function divideHalfEven(dividend: bigint, divisor: bigint): Pence {
  const quotient = dividend / divisor
  const twiceRest = (dividend % divisor) * 2n
  const roundsUp = twiceRest > divisor || (twiceRest === divisor && quotient % 2n === 1n)
  return Number(roundsUp ? quotient + 1n : quotient)
}
