import type { Page } from '@playwright/test'

export const cards = (page: Page) => page.getByRole('main').getByRole('listitem').getByRole('link')

/** Letters alone: one word to the search. */
export const newWord = () => `zq${Array.from({ length: 8 }, () => String.fromCodePoint(97 + Math.floor(Math.random() * 26))).join('')}`

/** The page of a listing, beside a list that found nothing: what axe has to look at is the listing. */
export const alone = (id: string) => `/listings/${id}?search=${newWord()}`
