import type { Browser, Page } from '@playwright/test'
import { expect, logIn } from '#tests/browser/support/visit.ts'

/** Somebody else, in a browser of their own; whoever asks for it closes its context. */
export async function another(browser: Browser, page: Page, email: string): Promise<Page> {
  const { width, height } = page.viewportSize() ?? { width: 1440, height: 900 }
  const context = await browser.newContext({ baseURL: new URL(page.url()).origin, viewport: { width, height } })
  const other = await context.newPage()
  await logIn(other, email)
  return other
}

/** A bid of whoever is logged in on that page. */
export async function bid(page: Page, id: string, body: { amount: number }): Promise<void> {
  const status = await page.evaluate(
    async ([listing, sent]) => {
      const token = decodeURIComponent(/XSRF-TOKEN=([^;]*)/.exec(document.cookie)?.[1] ?? '')
      const headers = { 'content-type': 'application/json', 'x-xsrf-token': token, 'idempotency-key': crypto.randomUUID() }
      return (await fetch(`/api/v1/listings/${listing}/bids`, { method: 'POST', headers, body: JSON.stringify(sent) })).status
    },
    [id, body] as const,
  )
  expect(status).toBe(201)
}
