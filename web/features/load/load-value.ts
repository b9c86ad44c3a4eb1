import { VAT_RATE } from '#web/money.ts'

const KG_PER_TONNE = 1_000

type Pence = number

/** What a load comes to: whole kilograms at pence a tonne, rounded once for the goods and once for the VAT. */
export function loadValue(weight_kg: number, pencePerTonne: Pence): { goods: Pence; vat: Pence; total: Pence } {
  const goods = Math.round((weight_kg * pencePerTonne) / KG_PER_TONNE)
  const vat = Math.round((goods * VAT_RATE) / 100)
  return { goods, vat, total: goods + vat }
}
