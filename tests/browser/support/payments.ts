import type { Locator, Page } from '@playwright/test'
import { ORIGIN } from '#tests/browser/support/place.ts'
import { expect } from '#tests/browser/support/visit.ts'

/** Stripe's test cards, by what its documentation says of them. */
export const cards = {
  good: '4242424242424242',
  declined: '4000000000000002',
  unfunded: '4000000000009995',
  expired: '4000000000000069',
  wrongCvc: '4000000000000127',
  authenticated: '4000002500003155',
  alwaysAuthenticated: '4000002760003184',
} as const

/** Typed key by key, as somebody with the card in the other hand does. */
export async function typeCard(form: Locator, number: string): Promise<void> {
  await form.getByLabel('Card number').fill('')
  await form.getByLabel('Card number').pressSequentially(number)
  await form.getByLabel('Expiry date').fill('')
  await form.getByLabel('Expiry date').pressSequentially('1234')
  await form.getByLabel('CVC').fill('123')
}

export const cardForm = (page: Page) => page.getByRole('form', { name: 'Card' })
export const part = (page: Page, title: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: title, exact: true, level: 2 }) })

/** Everything that the page sends to our own server, from now on. */
export function hearRequests(page: Page): () => string {
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.url().startsWith(ORIGIN))
      sent.push(`${request.method()} ${request.url()} ${JSON.stringify(request.headers())} ${request.postData() ?? ''}`)
  })
  return () => sent.join('\n')
}

/** No card number, whether in one piece or in groups, and no CVC beside its name. */
export function expectNoCard(text: string): void {
  for (const number of Object.values(cards)) {
    expect(text).not.toContain(number)
    expect(text).not.toContain(number.replaceAll(/(\d{4})(?=\d)/g, '$1 '))
    expect(text).not.toContain(number.replaceAll(/(\d{4})(?=\d)/g, '$1+'))
  }
  expect(text).not.toMatch(/cvc/i)
}

export const notAnswering = {
  status: 503,
  json: { message: 'The payment provider is not answering. Nothing is lost: please try again in a moment.', code: 'provider_unavailable' },
}

/** Holds the first call of this pattern until it is let go, and then answers that the provider is not there; later ones go through. */
export async function holdFirst(page: Page, pattern: string): Promise<() => void> {
  const gate = Promise.withResolvers<void>()
  let calls = 0
  // not `times: 1`: a route that is used up lets go of what it still holds
  await page.route(pattern, async (route) => {
    if (calls++ > 0) return route.fallback()
    await gate.promise
    await route.fulfill(notAnswering)
  })
  return gate.resolve
}
