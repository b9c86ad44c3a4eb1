import type { Page } from '@playwright/test'
import type { Listing } from '#contract/listings.ts'
import { formatPence } from '#domain/format.ts'
import { listingOf, newBidder } from '#tests/browser/support/database.ts'
import { bid, logIn } from '#tests/browser/support/session.ts'
import { ownAccount } from '#tests/browser/support/account.ts'
import { expect, expectAccessible, test } from '#tests/browser/support/visit.ts'

const SELLER = 'seller@yardbid.test'
const groups = (page: Page) => page.getByRole('navigation', { name: 'Groups' })
const row = (page: Page, title: string) => page.getByRole('article').filter({ hasText: title })

test(
  'My listings: groups with counts in the address, by keyboard; an empty group says what comes there',
  { tag: '@wide' },
  async ({ page }) => {
    const email = await ownAccount(page)
    await listingOf(email, { title: 'Running copper' })
    await listingOf(email, { title: 'Papers for lead', status: 'DocumentsRequired' })
    await listingOf(email, { title: 'Ended zinc', status: 'Expired' })
    await page.goto('/my-listings')
    await expect(page.getByRole('article').first(), 'what waits comes first').toContainText('Papers for lead')
    await expect(row(page, 'Papers for lead')).toContainText('Your turn')
    await expect(groups(page).getByRole('link')).toHaveText(['All3', 'Waiting for you1', 'Running1', 'Sold1', 'Unsold1', 'Done0'])
    await expectAccessible(page)

    await groups(page).getByRole('link', { name: 'Unsold' }).press('Enter')
    await expect(page).toHaveURL('/my-listings?group=unsold')
    await expect(groups(page).getByRole('link', { name: 'Unsold' })).toHaveAttribute('aria-current', 'page')
    await expect(page.getByRole('article')).toHaveCount(1)
    await page.reload()
    await expect(row(page, 'Ended zinc')).toBeVisible()

    await groups(page).getByRole('link', { name: 'Done' }).click()
    await expect(page.getByRole('heading', { name: 'No sale is finished yet' })).toBeVisible()
    await page.getByRole('link', { name: 'Show all your listings' }).click()
    await expect(page.getByRole('article')).toHaveCount(3)

    const others = await listingOf(SELLER, { title: 'Not mine' })
    await page.goto(`/my-listings/${others}`)
    await expect(page.getByRole('heading', { level: 1, name: 'This listing is not yours' })).toBeVisible()
    await page.getByRole('link', { name: 'See it among all listings' }).click()
    await expect(page).toHaveURL(`/listings/${others}`)
    await expect(page.getByRole('heading', { level: 1, name: 'Not mine' })).toBeVisible()
  },
)

test('Activity: an own bid and how it stands; the listing opens beside the list or, on a phone, on its own, and leads back', async ({
  page,
  isMobile,
}) => {
  const email = await ownAccount(page)
  await newBidder(email)
  const led = await listingOf(SELLER, { title: 'Led by me' })
  await page.goto('/activity')
  await expect(page.getByRole('heading', { name: 'You have not bid on anything yet' })).toBeVisible()
  await bid(page, led, 100_00)
  await page.goto('/activity?group=bidding')
  await expect(row(page, 'Led by me')).toContainText('You lead')
  await expect(row(page, 'Led by me')).toContainText('£100.00')

  await row(page, 'Led by me').getByRole('link').click()
  await expect(page).toHaveURL(`/activity/${led}?group=bidding`)
  await expect(page.getByRole('heading', { level: 1, name: 'Led by me' })).toBeFocused()
  await expect(groups(page)).toBeVisible({ visible: !isMobile })
  await expectAccessible(page)
  await page
    .getByRole('link', { name: isMobile ? 'Activity' : 'Close', exact: true })
    .first()
    .click()
  await expect(page).toHaveURL('/activity?group=bidding')
  await expect(row(page, 'Led by me')).toBeVisible()
})

test('on a phone the bar of groups shows the one that is open', { tag: '@phone' }, async ({ page }) => {
  await ownAccount(page)
  const isShown = (name: string) =>
    groups(page)
      .getByRole('link', { name })
      .evaluate((tab) => {
        const { left, right } = tab.getBoundingClientRect()
        return left >= 0 && right <= innerWidth
      })
  await page.goto('/activity?group=lost')
  await expect(page.getByRole('heading', { name: 'Nothing has ended without you' })).toBeVisible()
  await expect.poll(() => isShown('Ended')).toBe(true)
  expect(await isShown('All')).toBe(false)
  await page.getByRole('navigation', { name: 'Groups' }).getByRole('link', { name: 'All' }).click()
  await expect.poll(() => isShown('All')).toBe(true)
})

test('an offer at the own bid stands in Activity with that amount, not with the last price', { tag: '@wide' }, async ({ page }) => {
  await logIn(page, 'buyer@yardbid.test')
  await page.goto('/activity?group=offered')
  const { data } = await (await page.request.get('/api/v1/activity?filter[status]=offered')).json()
  // other tests end sales of this buyer too, with offers at the last price
  const offered = data.find(
    ({ my_latest_bid, current_price }: Listing) =>
      my_latest_bid?.bid_status.name === 'OfferedToYou' && my_latest_bid.max_price.value < current_price.value,
  ) as Listing
  await expect(row(page, offered.title)).toContainText(formatPence(offered.my_latest_bid?.max_price.value ?? 0))
  await expect(row(page, offered.title)).not.toContainText(formatPence(offered.current_price.value))
})

test('the dashboard shows first what waits, and the way to it; the navigation counts it', async ({ page, isMobile }) => {
  const email = await ownAccount(page)
  await page.goto('/')
  const waiting = page.getByRole('region', { name: 'Waiting for you' })
  await expect(page.getByText('Nothing of yours is running.')).toBeVisible()
  const id = await listingOf(email, { title: 'Papers for brass', status: 'DocumentsRequired' })
  await listingOf(email, { title: 'Running brass' })
  await page.reload()
  await expect(waiting.getByRole('article')).toHaveCount(1)
  await expect(waiting).toContainText('Papers for brass')
  await expect(page.getByRole('region', { name: 'Your listings, running' })).toContainText('Running brass')
  if (!isMobile) await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'My listings' })).toContainText('1')
  await expectAccessible(page)
  await waiting.getByRole('link', { name: 'Papers for brass' }).click()
  await expect(page).toHaveURL(`/my-listings/${id}?group=waiting`)
  await expect(page.getByRole('heading', { level: 1, name: 'Papers for brass' })).toBeVisible()
})

test('a dashboard whose lists do not load says so, and loads them when they are tried again', { tag: '@wide' }, async ({ page }) => {
  await ownAccount(page)
  const asked: string[] = []
  await page.route(/\/api\/v1\/(activity|my-listings)\?/, (route) => {
    asked.push(route.request().url())
    return route.fulfill({ status: 503, json: { message: 'Busy. Try again in a moment.', code: 'unavailable' } })
  })
  await page.goto('/')
  const again = page.getByRole('button', { name: 'Try again' })
  await expect(again).toBeVisible()
  await expect(page.getByText('Busy. Try again in a moment.')).toBeVisible()
  // five lists, each asked for by the page, by what draws it and at most by a badge
  expect(asked.length).toBeLessThanOrEqual(15)
  await page.unrouteAll()
  await again.click()
  await expect(again).toBeHidden()
  await expect(page.getByRole('heading', { name: 'Waiting for you' })).toBeVisible()
})

test('a visitor sees what ends soon, and opens it', { tag: '@phone' }, async ({ page }) => {
  await page.goto('/')
  const ending = page.getByRole('region', { name: 'Ending soon' })
  await expect(ending.getByRole('listitem')).toHaveCount(8)
  await ending.getByRole('link', { name: /£/ }).first().click()
  await expect(page).toHaveURL(/\/listings\/[\w-]+$/)
})
