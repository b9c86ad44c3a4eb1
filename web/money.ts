import type { PriceBasis } from '#domain/money.ts'

const pounds = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' })

/** Counted in whole pence, divided only to be shown (SPEC §9). */
export const formatPence = (pence: number): string => pounds.format(pence / 100)

/** '£5,225.00 / t', or '£5,225.00' for a lot. */
export const formatPrice = (pence: number, basis: PriceBasis): string =>
  basis === 'tonne' ? `${formatPence(pence)} / t` : formatPence(pence)

export const penceOf = (amountInPounds: number): number => Math.round(amountInPounds * 100)
