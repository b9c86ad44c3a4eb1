import type { BrowserContext, Page } from '@playwright/test'
import type { NotificationKind } from '#contract/values/notification-kinds.ts'
import { notifyOn, type News } from '#server/features/notifications/public.ts'
import { connected } from '#tests/browser/support/database.ts'

type Told = { [K in NotificationKind]: Omit<Extract<News, { kind: K }>, 'to' | 'source'> }[NotificationKind]

/** Tells a user of something, as the server does it: in the list at once, and live a moment later. */
export const tell = (email: string, ...news: Told[]): Promise<void> =>
  connected(async (client) => {
    const { rows } = await client.query<{ id: string }>('select id from users where email = $1', [email])
    const ask = async (sql: string, values: readonly unknown[]) => (await client.query(sql, [...values])).rows
    for (const one of news) await notifyOn(ask, { ...one, source: `test:${crypto.randomUUID()}`, to: rows[0]?.id ?? '' })
  })

export const vatNews = (vat_number: string): Told => ({ kind: 'vat', facts: { vat_number }, link: '/account/view-edit' })

/** Its card stays until it is dismissed. */
export const outbidNews = (title: string): Told => ({
  kind: 'outbid',
  link: '/activity',
  facts: { title, price: 120_00, price_basis: 'lot', minimum_bid: 125_00, ends_at: '2030-05-01T09:00:00.000Z' },
})

/** How often a tab has polled for notifications, and opened the live stream, so far. */
export function countAsking(tab: Page) {
  const asked = { polls: 0, streams: 0 }
  tab.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/api/v1/events') asked.streams++
    if (pathname === '/api/v1/notifications' && (searchParams.has('filter[since]') || searchParams.get('per_page') === '1')) asked.polls++
  })
  return asked
}

const STEP_MS = 5_000

/** The clock of all tabs goes on in steps, so that what tabs tell each other keeps pace with it. */
export async function passTime(context: BrowserContext, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= STEP_MS) await context.clock.runFor(Math.min(left, STEP_MS))
}

/** The page, once its browser knows from when on to poll, and follows its user's news live. */
export async function followOwn(page: Page, path: string): Promise<void> {
  const first = page.waitForResponse((response) => response.url().includes('per_page=1&'))
  const stream = page.waitForResponse((response) => response.url().includes('/api/v1/events'))
  await page.goto(path)
  await Promise.all([first, stream])
}
