const pounds = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' })

/** Counted in whole pence, divided only to be shown (SPEC §9). */
export const formatPence = (pence: number): string => pounds.format(pence / 100)
