import type { Page, Request } from '@playwright/test'
import { expect } from '#tests/browser/support/visit.ts'

const sent = ['accept', 'content-type', 'cookie', 'x-xsrf-token', 'idempotency-key']

/** The server does what the request asks; its answer, and the cookies with it, reach nobody. */
async function doUnheard(request: Request): Promise<void> {
  const all = await request.allHeaders()
  const headers = Object.fromEntries(sent.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]])))
  const answer = await fetch(request.url(), { method: request.method(), headers, body: request.postData() })
  expect(answer.ok, `${request.method()} ${request.url()}: ${answer.status}`).toBe(true)
}

/**
 * The first of these calls is done and answered too late: the page's clock goes past the time limit (SPEC §9), the page says that it
 * waits, and asks again. Answers the keys of all calls.
 */
export async function answerLate(page: Page, path: string, method = 'POST') {
  const keys: (string | undefined)[] = []
  const first = Promise.withResolvers<void>()
  const seen = Promise.withResolvers<void>()
  const waiting = page.getByText('Still waiting for an answer…').filter({ visible: true })
  await page.clock.install()
  await page.route(path, async (route) => {
    if (route.request().method() !== method) return route.fallback()
    keys.push(route.request().headers()['idempotency-key'])
    if (keys.length === 1) return doUnheard(route.request()).then(first.resolve, first.reject)
    await seen.promise
    return route.fallback()
  })
  const passTimeLimit = async () => {
    await first.promise
    await page.clock.fastForward(5_000)
    await expect(waiting).toBeVisible()
    seen.resolve()
  }
  /** It worked, without a word of an error. */
  const expectNoError = async () => {
    await expect(waiting).toBeHidden()
    await expect(page.getByText('Error', { exact: true })).toHaveCount(0)
    expect(keys.length).toBeGreaterThan(1)
    expect(new Set(keys).size, 'one key').toBe(1)
  }
  return { passTimeLimit, expectNoError }
}
