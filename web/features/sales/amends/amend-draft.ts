import type { Listing } from '#contract/listings.ts'
import { penceOf } from '#domain/money.ts'
import { listedValue, type AmendLine } from '#domain/sales/amend.ts'

/** As it is typed: a phone's number pad has no minus, so the direction of the grade's effect is chosen. */
export type Draft = {
  weight: { isOn: boolean; found: number | null }
  contamination: { isOn: boolean; found: number | null }
  grade: { isOn: boolean; found: string; effect: number | null; direction: 'less' | 'more' }
}

type Listed = Pick<Listing, 'weight_kg' | 'grade'>

/** The buyer's own ticket says what was found, where there is one. */
const foundByBuyer = ({ exchange }: Listing) => exchange?.buyer_weight_kg ?? null

/** What an amend begins with: the weight, if the buyer's own ticket says another. */
export function firstLines(listing: Listing): AmendLine[] {
  const found = foundByBuyer(listing)
  const isOn = listing.weight_kg !== null && found !== null && found !== listing.weight_kg
  return isOn ? [{ type: 'weight', listed: String(listing.weight_kg), found: String(found) }] : []
}

export function draftOf(lines: readonly AmendLine[], listing: Listing): Draft {
  const [weight, contamination, grade] = (['weight', 'contamination', 'grade'] as const).map((type) =>
    lines.find((line) => line.type === type),
  )
  const effect = grade?.price_effect
  return {
    weight: { isOn: weight !== undefined, found: weight ? numberIn(weight.found) : foundByBuyer(listing) },
    contamination: { isOn: contamination !== undefined, found: numberIn(contamination?.found) },
    grade: {
      isOn: grade !== undefined,
      found: grade?.found ?? '',
      effect: effect === undefined ? null : Math.abs(effect) / 100,
      direction: effect !== undefined && effect > 0 ? 'more' : 'less',
    },
  }
}

const numberIn = (text: string | undefined) => (text ? Number(text) : null)

export const isComplete = ({ weight, contamination, grade }: Draft) =>
  (!weight.isOn || weight.found !== null) &&
  (!contamination.isOn || contamination.found !== null) &&
  (!grade.isOn || (grade.found !== '' && grade.effect !== null))

export function linesOf({ weight, contamination, grade }: Draft, listing: Listed): AmendLine[] {
  const line = (type: AmendLine['type'], found: string): AmendLine => ({ type, listed: listedValue(type, listing) ?? '', found })
  const lines: AmendLine[] = []
  if (weight.isOn) lines.push(line('weight', String(weight.found ?? '')))
  if (contamination.isOn) lines.push(line('contamination', String(contamination.found ?? '')))
  if (grade.isOn) {
    const effect = grade.effect === null ? undefined : penceOf(grade.effect) * (grade.direction === 'less' ? -1 : 1)
    lines.push({ ...line('grade', grade.found.trim()), ...(effect !== undefined && { price_effect: effect }) })
  }
  return lines
}
