import type { Browser, BrowserContext, Page } from '@playwright/test'
import { ownAccount } from '#tests/browser/support/account.ts'
import { countAsking, passTime } from '#tests/browser/support/notifications.ts'
import { PORT } from '#tests/browser/support/place.ts'
import { expect, fillLogin, test } from '#tests/browser/support/visit.ts'
import { goodPassword } from '#tests/support/people.ts'

type Tab = { page: Page; asked: ReturnType<typeof countAsking> }

test.describe('polling', { tag: '@wide' }, () => {
  test('in two browsers with three tabs each, one tab of each polls every 30 s', async ({ browser }) => {
    const browsers = await Promise.all([openBrowser(browser), openBrowser(browser)])
    for (const { context, tabs } of browsers) {
      await passUntilPoll(context, rolesOf(tabs).leader)
      const before = pollsOf(tabs)
      for (const polls of [1, 2, 3]) {
        await passTime(context, 30_000)
        await expect.poll(() => total(pollsOf(tabs)) - total(before)).toBe(polls)
      }
      const polling = tabs.filter(({ asked }, nth) => asked.polls > (before[nth] ?? 0))
      expect(polling, 'all of them by one tab').toHaveLength(1)
      expect(
        tabs.filter(({ asked }) => asked.streams > 0),
        'which has the live stream',
      ).toEqual(polling)
      await context.close()
    }
  })

  test('when the leading tab closes, another takes over within 3 s and keeps the rhythm', async ({ browser }) => {
    const { context, tabs } = await openBrowser(browser)
    const { leader, others } = rolesOf(tabs)
    await passUntilPoll(context, leader)
    await passTime(context, 10_000)
    await leader.page.close()
    await expectTakeover(context, others, 3_000)
    const before = pollsOf(others)
    await passTime(context, 10_000)
    expect(pollsOf(others), 'the last poll was 23 s ago').toEqual(before)
    await passTime(context, 10_000)
    await expect.poll(() => total(pollsOf(others)) - total(before)).toBe(1)
    await context.close()
  })

  test('a leading tab that falls silent is replaced once it is stale, and stops', async ({ browser }) => {
    const { context, tabs } = await openBrowser(browser)
    const { leader, others } = rolesOf(tabs)
    await leader.page.evaluate(() => {
      BroadcastChannel.prototype.postMessage = () => {}
    })
    await passTime(context, 25_000)
    expect(total(others.map(({ asked }) => asked.streams)), 'it may still come back').toBe(0)
    await passTime(context, 10_000)
    await expectTakeover(context, others, 5_000)
    const { polls } = leader.asked
    const before = total(pollsOf(others))
    await passTime(context, 60_000)
    await expect.poll(() => total(pollsOf(others)) - before).toBeGreaterThanOrEqual(2)
    expect(leader.asked.polls, 'the silent tab polls no more').toBe(polls)
    await context.close()
  })

  test('an idle browser stops polling, and a key press in any tab starts it again', async ({ browser }) => {
    const { context, tabs } = await openBrowser(browser)
    const { leader, others } = rolesOf(tabs)
    await others[0]?.page.keyboard.press('Shift')
    await context.clock.fastForward(260_000)
    const active = leader.asked.polls
    await passTime(context, 30_000)
    await expect.poll(() => leader.asked.polls, 'not idle before 5 minutes').toBeGreaterThan(active)
    await passTime(context, 20_000)
    const idle = pollsOf(tabs)
    await passTime(context, 90_000)
    expect(pollsOf(tabs), 'idle').toEqual(idle)
    await others[0]?.page.keyboard.press('Shift')
    await expect.poll(() => total(pollsOf(tabs)) - total(idle)).toBe(1)
    await passTime(context, 30_000)
    await expect.poll(() => total(pollsOf(tabs)) - total(idle)).toBe(2)
    await context.close()
  })

  test('a log-out in one tab stops the polling of all', async ({ browser }) => {
    const { context, tabs } = await openBrowser(browser)
    const { others } = rolesOf(tabs)
    await others[0]?.page.getByRole('button', { name: 'Log out' }).click()
    for (const { page } of tabs) await expect(page.getByRole('banner').getByRole('link', { name: 'Log in' })).toBeVisible()
    const before = pollsOf(tabs)
    await passTime(context, 90_000)
    expect(pollsOf(tabs)).toEqual(before)
    await context.close()
  })

  test('on plain http, where there are no locks, one tab polls and another follows when it closes', async ({ browser }) => {
    const email = await newMember(browser)
    const context = await browser.newContext({ baseURL: `http://yard.test:${PORT}` })
    const first = await context.newPage()
    await first.goto('/login?next=/terms')
    await fillLogin(first, email, goodPassword)
    await expect(first).toHaveURL(`http://yard.test:${PORT}/terms`)
    expect(await first.evaluate(() => 'locks' in navigator)).toBe(false)
    await first.close()

    const tabs = await openTabs(context)
    const { leader, others } = rolesOf(tabs)
    await passUntilPoll(context, leader)
    await passTime(context, 30_000)
    await expect.poll(() => leader.asked.polls).toBeGreaterThanOrEqual(3)
    expect(total(pollsOf(others))).toBe(0)
    await leader.page.close()
    await expectTakeover(context, others, 3_000)
    await context.close()
  })
})

/** A browser of its own with a member logged in, three tabs, and a clock that only the test moves. */
async function openBrowser(browser: Browser) {
  const context = await browser.newContext()
  const page = await context.newPage()
  await ownAccount(page)
  await page.close()
  return { context, tabs: await openTabs(context) }
}

async function openTabs(context: BrowserContext): Promise<Tab[]> {
  await context.clock.install()
  const tabs: Tab[] = []
  for (const _nth of [1, 2, 3]) {
    const page = await context.newPage()
    tabs.push({ page, asked: countAsking(page) })
    await page.goto('/terms')
    await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible()
  }
  // the first tab to be there has asked from when on to poll, and has the stream; until the clock stands, a slow machine polls again
  await expect.poll(() => total(pollsOf(tabs))).toBeGreaterThan(0)
  await expect.poll(() => total(tabs.map(({ asked }) => asked.streams))).toBe(1)
  await context.clock.pauseAt(Date.now() + 20_000)
  return tabs
}

function rolesOf(tabs: Tab[]): { leader: Tab; others: Tab[] } {
  const [leader, ...more] = tabs.filter(({ asked }) => asked.streams > 0)
  if (!leader || more.length > 0) throw new Error('one tab leads')
  return { leader, others: tabs.filter((tab) => tab !== leader) }
}

/** To the second of its next poll. */
async function passUntilPoll(context: BrowserContext, { asked }: Tab) {
  const { polls } = asked
  for (let seconds = 0; asked.polls === polls && seconds < 31; seconds++) await context.clock.runFor(1_000)
  expect(asked.polls).toBe(polls + 1)
}

/** One of these tabs opens the live stream: no later than this on the tabs' clock, as late as it likes on the machine's. */
async function expectTakeover(context: BrowserContext, tabs: Tab[], withinMs: number) {
  const streams = () => total(tabs.map(({ asked }) => asked.streams))
  for (let passed = 0; passed < withinMs; passed += 1_000) await context.clock.runFor(1_000)
  await expect.poll(streams).toBe(1)
}

const pollsOf = (tabs: Tab[]) => tabs.map(({ asked }) => asked.polls)
const total = (counts: number[]) => counts.reduce((sum, count) => sum + count, 0)

async function newMember(browser: Browser): Promise<string> {
  const context = await browser.newContext()
  const email = await ownAccount(await context.newPage())
  await context.close()
  return email
}
