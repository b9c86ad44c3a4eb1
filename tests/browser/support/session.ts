import type { BrowserContext, Page } from '@playwright/test'
import { newMerchantSession, sessionOf } from '#tests/browser/support/database.ts'
import { ORIGIN } from '#tests/browser/support/place.ts'

// Who somebody is, without the login page: its password hash costs more than most tests. The tests of login itself use the page.

export type Cookies = Record<string, string>

/** The page is that user's from its next address on. */
export const logIn = async (page: Page, email: string): Promise<void> => enter(page, await withCsrf(await sessionOf(email)))

/** A merchant of this test's own who may bid: what happens to a demo user's bids shows in every test that is one. */
export const beBidder = async (page: Page): Promise<void> => enter(page, await withCsrf(await newMerchantSession()))

export async function enter(page: Page, cookies: Cookies): Promise<void> {
  const { hostname } = new URL(ORIGIN)
  const sent = { domain: hostname, path: '/', sameSite: 'Lax' } as const
  await page.context().addCookies(Object.entries(cookies).map(([name, value]) => ({ name, value, httpOnly: name === 'sid', ...sent })))
}

/** A bid of whoever is logged in on that page. */
export const bid = async (page: Page, id: string, amount: number): Promise<void> => placeBid(await cookiesOf(page.context()), id, amount)

/** A bid of somebody whom nobody has met. */
export const bidAsRival = async (id: string, amount: number, max?: number): Promise<void> =>
  placeBid(await withCsrf(await newMerchantSession()), id, amount, max)

/** A change asked for as a page does it; answers with the status and the cookies that came. */
export async function post(path: string, cookies: Cookies, body?: object): Promise<{ status: number; cookies: Cookies }> {
  const response = await send(path, cookies, body)
  return { status: response.status, cookies: { ...cookies, ...cookiesIn(response) } }
}

/** The same, for its answer. */
export const sendTo = async (path: string, cookies: Cookies, body?: object): Promise<unknown> => (await send(path, cookies, body)).json()

const send = (path: string, cookies: Cookies, body: object | undefined) =>
  fetch(`${ORIGIN}${path}`, {
    method: 'POST',
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      'idempotency-key': crypto.randomUUID(),
      'x-xsrf-token': cookies['XSRF-TOKEN'] ?? '',
      cookie: written(cookies),
    },
    ...(body && { body: JSON.stringify(body) }),
  })

/** What a page would read. */
export const read = async (path: string, cookies: Cookies): Promise<unknown> =>
  (await fetch(`${ORIGIN}${path}`, { headers: { cookie: written(cookies) } })).json()

/** With the token that fits this session, or a visitor's. */
export async function withCsrf(session?: string): Promise<Cookies> {
  const cookies: Cookies = session ? { sid: session } : {}
  return { ...cookies, ...cookiesIn(await fetch(`${ORIGIN}/sanctum/csrf-cookie`, { headers: { cookie: written(cookies) } })) }
}

async function placeBid(cookies: Cookies, id: string, amount: number, max?: number) {
  const { status } = await post(`/api/v1/listings/${id}/bids`, cookies, { amount, ...(max && { max_amount: max }) })
  if (status !== 201) throw new Error(`the bid was answered with ${status}`)
}

const cookiesOf = async (context: BrowserContext): Promise<Cookies> =>
  Object.fromEntries((await context.cookies(ORIGIN)).map(({ name, value }) => [name, value]))

const written = (cookies: Cookies) =>
  Object.entries(cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ')

const cookiesIn = (response: Response): Cookies =>
  Object.fromEntries(response.headers.getSetCookie().map((line) => (line.split(';')[0] ?? '').split(/=(.*)/s, 2) as [string, string]))
