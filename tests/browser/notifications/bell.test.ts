import type { Page } from '@playwright/test'
import { ownAccount } from '#tests/browser/support/account.ts'
import { listingOf } from '#tests/browser/support/database.ts'
import { followOwn, outbidNews, tell, vatNews } from '#tests/browser/support/notifications.ts'
import { expect, expectAccessible, test } from '#tests/browser/support/visit.ts'

const SELLER = 'seller@yardbid.test'
const cardsOf = (page: Page) => page.getByRole('region', { name: 'Notices' })

test(
  'what arrives is said in one tab by a card, counted at the bell in all, and read by opening it',
  { tag: '@wide' },
  async ({ page, context }) => {
    const email = await ownAccount(page)
    const id = await listingOf(SELLER, { title: 'Cast radiators' })
    await tell(email, vatNews('GB111111111'))
    await followOwn(page, '/terms')
    const other = await context.newPage()
    await other.goto('/privacy')
    for (const tab of [page, other]) {
      await expect(tab.getByRole('button', { name: 'Notifications, 1 unread' })).toBeVisible()
      await expect(cardsOf(tab), 'older than the page').toBeEmpty()
    }

    await tell(email, { ...outbidNews('Cast radiators'), listingId: id, link: `/listings/${id}` })
    for (const tab of [page, other]) await expect(tab.getByRole('button', { name: 'Notifications, 2 unread' })).toBeVisible()
    const shown = async () =>
      (await Promise.all([page, other].map((tab) => cardsOf(tab).getByText('You were outbid: Cast radiators').count()))) as [number, number]
    await expect.poll(shown).toContain(1)
    const [here, there] = await shown()
    expect(here + there, 'in one tab').toBe(1)
    const tab = here ? page : other
    await expect(cardsOf(tab).getByText('The price is now £120.00. £125.00 takes the lead.')).toBeVisible()
    await expectAccessible(tab)
    await cardsOf(tab).getByRole('button', { name: 'Bid again' }).click()
    await expect(tab).toHaveURL(`/listings/${id}`)
    await expect(cardsOf(tab)).toBeEmpty()
    for (const one of [page, other]) await expect(one.getByRole('button', { name: 'Notifications, 1 unread' })).toBeVisible()
  },
)

test('at most three cards stand there, newest first; the list takes them away and says the rest', { tag: '@wide' }, async ({ page }) => {
  const email = await ownAccount(page)
  await followOwn(page, '/terms')
  for (const title of ['Load 1', 'Load 2', 'Load 3', 'Load 4']) await tell(email, outbidNews(title))
  const cards = cardsOf(page).getByRole('button', { name: /^Dismiss/ })
  await expect(cardsOf(page).getByText('You were outbid: Load 4')).toBeVisible()
  await expect(cards).toHaveCount(3)
  await expect(cardsOf(page).getByText(/Load \d/)).toHaveText([/Load 4/, /Load 3/, /Load 2/])
  await cards.nth(1).click()
  await expect(cards).toHaveCount(2)

  const bell = page.getByRole('button', { name: 'Notifications, 4 unread' })
  await bell.click()
  const panel = page.getByRole('dialog', { name: 'Notifications' })
  await expect(panel.getByRole('listitem')).toHaveCount(4)
  await expect(cards).toHaveCount(0)
  await expectAccessible(page)
  await tell(email, vatNews('GB222222222'))
  await expect(panel.getByRole('listitem').first()).toContainText('GB222222222')
  await expect(cards, 'the open list says it').toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  await expect(page.getByRole('button', { name: 'Notifications, 5 unread' })).toBeFocused()
})

test(
  'the list on a phone: empty, failed, page after page, one read, all read, and a new one stays unread',
  { tag: '@phone' },
  async ({ page }) => {
    const email = await ownAccount(page)
    await page.goto('/terms')
    await page.getByRole('link', { name: 'Notifications' }).click()
    await expect(page.getByRole('heading', { name: 'Nothing yet' })).toBeVisible()
    await expectAccessible(page)

    await tell(email, ...Array.from({ length: 45 }, (_, nth) => vatNews(`GB1000000${String(nth).padStart(2, '0')}`)))
    await page.route('**/api/v1/notifications?page=*', (route) =>
      route.fulfill({ status: 503, json: { message: 'Try again in a moment.', code: 'busy' } }),
    )
    await page.reload()
    await expect(page.getByText('Try again in a moment.')).toBeVisible()
    await page.unroute('**/api/v1/notifications?page=*')
    await page.getByRole('button', { name: 'Try again' }).click()
    const rows = page.getByRole('main').getByRole('listitem')
    await expect(rows.first()).toContainText('GB100000044')
    await expect(async () => {
      await rows.last().scrollIntoViewIfNeeded()
      await expect(rows).toHaveCount(45, { timeout: 500 })
    }).toPass()
    await expect(page.getByRole('button', { name: 'Show more' })).toHaveCount(0)

    await rows.first().getByRole('link').click()
    await expect(page).toHaveURL('/account/view-edit')
    await page.goBack()
    await expect(rows.first().getByText('Unread.')).toHaveCount(0)
    await expect(rows.nth(1).getByText('Unread.')).toHaveCount(1)
    await expect(page.getByRole('link', { name: 'Notifications, 44 unread' })).toBeVisible()
    await page.getByRole('button', { name: 'Mark all as read' }).click()
    await expect(page.getByRole('link', { name: 'Notifications', exact: true })).toBeVisible()
    await expect(page.getByText('Unread.')).toHaveCount(0)
    await tell(email, vatNews('GB333333333'))
    await expect(rows.first()).toContainText('GB333333333')
    await expect(rows.first().getByText('Unread.')).toHaveCount(1)
    await expectAccessible(page)
  },
)

test('without the live stream, the next poll brings what arrived', { tag: '@wide' }, async ({ page }) => {
  const email = await ownAccount(page)
  await page.route('**/api/v1/events?*', (route) => route.abort())
  await page.clock.install()
  const first = page.waitForResponse('**/api/v1/notifications?page=1&per_page=1*')
  await page.goto('/terms')
  await first
  await expect(page.getByRole('button', { name: 'Notifications' })).toBeVisible()
  await tell(email, vatNews('GB444444444'))
  await page.clock.fastForward(30_000)
  await expect(cardsOf(page).getByText('GB444444444')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Notifications, 1 unread' })).toBeVisible()
})
