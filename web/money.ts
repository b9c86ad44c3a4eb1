import type { PriceBasis } from '#domain/money.ts'

const pounds = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' })

/** RULES §5, in per cent, until the configuration carries the setting. */
export const VAT_RATE = 20

/** Counted in whole pence, divided only to be shown (SPEC §9). */
export const formatPence = (pence: number): string => pounds.format(pence / 100)

/** '£5,225.00 / t', or '£5,225.00' for a lot. */
export const formatPrice = (pence: number, basis: PriceBasis): string =>
  basis === 'tonne' ? `${formatPence(pence)} / t` : formatPence(pence)

export const penceOf = (amountInPounds: number): number => Math.round(amountInPounds * 100)
