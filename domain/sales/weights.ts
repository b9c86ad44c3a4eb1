// The weighbridge comparison: what each ticket says beside what was listed.

export type ComparedWeight = {
  of: 'listed' | 'seller' | 'buyer'
  kg: number
  /** From the listed weight; null for it, and where none was listed. Per cent with two decimal places. */
  difference: { kg: number; percent: number; isWithin: boolean } | null
}

type Weights = { listed_kg: number | null; seller_kg: number | null; buyer_kg: number | null; tolerance: number }

/** `tolerance` in per cent: how far a weight may be off before an amend of it needs an answer (RULES §4). */
export function compareWeights({ listed_kg, seller_kg, buyer_kg, tolerance }: Weights): ComparedWeight[] {
  const ticket = (of: 'seller' | 'buyer', kg: number): ComparedWeight => ({
    of,
    kg,
    difference: listed_kg === null ? null : differenceOf(kg, listed_kg, tolerance),
  })
  return [
    ...(listed_kg === null ? [] : [{ of: 'listed', kg: listed_kg, difference: null } as const]),
    ...(seller_kg === null ? [] : [ticket('seller', seller_kg)]),
    ...(buyer_kg === null ? [] : [ticket('buyer', buyer_kg)]),
  ]
}

function differenceOf(found: number, listed: number, tolerance: number) {
  const kg = found - listed
  // compared exactly: what is shown is rounded, what decides is not
  const isWithin = Math.abs(kg) * 100 <= listed * tolerance
  return { kg, percent: Math.round((kg / listed) * 10_000) / 100, isWithin }
}
