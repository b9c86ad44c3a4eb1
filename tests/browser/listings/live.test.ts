import type { Page } from '@playwright/test'
import { alone } from '#tests/browser/support/browsing.ts'
import { listingOf } from '#tests/browser/support/database.ts'
import { beBidder, bid, bidAsRival } from '#tests/browser/support/session.ts'
import { ownAccount } from '#tests/browser/support/account.ts'
import { expect, expectAccessible, test } from '#tests/browser/support/visit.ts'

const SELLER = 'seller@yardbid.test'

test('a rival’s bid changes price, history and standing without a reload and without asking', { tag: '@wide' }, async ({ page }) => {
  const id = await listingOf(SELLER, { price_basis: 'tonne', weight_kg: 12_400, start_price: 5_200_00 })
  await beBidder(page)
  await bid(page, id, 5_225_00)
  await openLive(page, alone(id), 'me', `listing:${id}`)
  const box = page.getByRole('region', { name: 'Bidding' })
  await expect(box.getByRole('status').first()).toContainText('You lead at £5,225.00 / t.')
  await expect(page.getByRole('listitem').filter({ hasText: /^You/ })).toHaveCount(1)

  // from here on the page could not ask if it wanted to
  const asked: string[] = []
  await page.route('**/api/v1/listings/**', (route) => {
    asked.push(route.request().url())
    return route.abort()
  })
  await bidAsRival(id, 5_250_00)
  await expect(box.getByRole('status').first()).toHaveText('You were outbid. The next bid is £5,275.00 / t or more.')
  await expect(box.getByText('£5,250.00').first()).toHaveClass(/flash/)
  await expect(page.getByRole('listitem').filter({ hasText: /^Bidder 2/ })).toContainText('£5,250.00')
  await expect(page.getByRole('button', { name: 'Bid £5,275.00 / t', exact: true })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Notices' })).toBeEmpty()
  expect(asked).toEqual([])
})

test('who was outbid is told on any other page, and Bid again opens the listing', { tag: '@phone' }, async ({ page }) => {
  const id = await listingOf(SELLER, { title: 'Radiators, mixed' })
  await beBidder(page)
  await bid(page, id, 100_00)
  await openLive(page, '/account/view-edit', 'me')
  await bidAsRival(id, 110_00)
  const notices = page.getByRole('region', { name: 'Notices' })
  await expect(notices.getByText('You were outbid: Radiators, mixed', { exact: true })).toBeVisible()
  await expect(notices.getByText('The price is now £110.00. £115.00 takes the lead.')).toBeVisible()
  await expectAccessible(page)
  await notices.getByRole('button', { name: 'Bid again' }).click()
  await expect(page).toHaveURL(`/listings/${id}`)
  await expect(notices).toBeEmpty()
})

test('the first bid ends the owner’s editing, and withdrawing without a reason, at once', { tag: '@wide' }, async ({ page, context }) => {
  const title = 'Girders'
  const id = await listingOf(await ownAccount(page), { title })
  await openLive(page, '/my-listings?group=running', 'me', `listing:${id}`)
  const withdraw = page.getByRole('button', { name: `Withdraw ${title}` })
  await expect(withdraw).toBeVisible()
  const editing = await context.newPage()
  await editing.goto(`/my-listings/${id}/edit`)
  await expect(editing.getByLabel('Title')).toHaveValue(title)
  await bidAsRival(id, 100_00)
  await expect(editing.getByText('After the first bid you can add a note')).toBeVisible()
  await expect(withdraw).toBeHidden()
})

test(
  'two tabs share one connection, and when the one that has it closes the other goes on',
  { tag: '@wide' },
  async ({ page, context }) => {
    const id = await listingOf(SELLER, {})
    await openLive(page, alone(id), `listing:${id}`)
    const second = await context.newPage()
    const streams = countStreams(second)
    await second.goto(alone(id))
    const price = (tab: Page) =>
      tab
        .getByRole('region', { name: 'Bidding' })
        .getByText(/£\d+\.00/)
        .first()
    await expect(price(second)).toHaveText('£100.00')

    await bidAsRival(id, 120_00)
    for (const tab of [page, second]) await expect(price(tab)).toHaveText('£120.00')
    expect(streams()).toBe(0)

    await page.close()
    await bidAsRival(id, 130_00)
    await expect(price(second)).toHaveText('£130.00')
    expect(streams()).toBe(1)
  },
)

test('a page that was offline says so, and catches up when it is back', { tag: '@phone' }, async ({ page, context }) => {
  const id = await listingOf(SELLER, {})
  await page.clock.install()
  await openLive(page, alone(id), `listing:${id}`)
  await context.setOffline(true)
  await bidAsRival(id, 140_00)
  await page.waitForFunction(() => !navigator.onLine)
  await page.clock.fastForward(5_000)
  await expect(page.getByText('Reconnecting…')).toBeVisible()
  await expectAccessible(page)
  await context.setOffline(false)
  const box = page.getByRole('region', { name: 'Bidding' })
  await expect(box.getByText('£140.00').first()).toBeVisible()
  await expect(page.getByText('Reconnecting…')).toBeHidden()
  await expect(page.getByRole('listitem').filter({ hasText: /^Bidder 1/ })).toContainText('£140.00')
})

/** The page, once its stream follows these topics: the server's first event comes when it does. */
async function openLive(page: Page, path: string, ...topics: string[]) {
  await page.addInitScript(() => {
    window.EventSource = class extends EventSource {
      constructor(address: string | URL) {
        super(address)
        this.addEventListener('versions', () => console.debug(`follows ${new URL(this.url).searchParams.get('topics')}`))
      }
    }
  })
  const isFollowing = (line: string) => line.startsWith('follows ') && topics.every((topic) => line.includes(topic))
  const stream = page.waitForEvent('console', (message) => isFollowing(message.text()))
  await page.goto(path)
  await stream
}

function countStreams(page: Page): () => number {
  let count = 0
  page.on('request', (request) => void (request.url().includes('/api/v1/events') && count++))
  return () => count
}
