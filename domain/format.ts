import type { Pence, PriceBasis } from '#domain/money.ts'

// How money and weights are written, for pages, emails and papers alike. Amounts stay whole pence until here (SPEC §9).

const pounds = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' })

/** '£5,225.00'. */
export const formatPence = (pence: Pence): string => pounds.format(pence / 100)

/** '£5,225.00 / t', or '£5,225.00' for a lot. */
export const formatPrice = (pence: Pence, basis: PriceBasis): string =>
  basis === 'tonne' ? `${formatPence(pence)} / t` : formatPence(pence)

/** Money as the interface sends it. */
export const gbp = (value: Pence) => ({ value, currency: 'GBP' as const })

const KG_PER_TONNE = 1_000
const tonnes = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 3 })

/** '850 kg', '12.4 t'. */
export const formatWeight = (weight_kg: number): string =>
  weight_kg < KG_PER_TONNE ? `${weight_kg} kg` : `${tonnes.format(weight_kg / KG_PER_TONNE)} t`
