import { ownAccount } from '#tests/browser/support/account.ts'
import { alone, cards, newWord } from '#tests/browser/support/browsing.ts'
import { listingOf, unconfirmEmail } from '#tests/browser/support/database.ts'
import { beBidder, logIn } from '#tests/browser/support/session.ts'
import { expect, expectAccessible, fillLogin, test } from '#tests/browser/support/visit.ts'
import { demoPassword } from '#database/demo/users.ts'

const SELLER = 'seller@yardbid.test'
const BUYER = 'buyer@yardbid.test'

test('a listing is found by words and material, the filter stands in the address, and the list is kept on the way back', async ({
  page,
  isMobile,
}) => {
  const word = newWord()
  await listingOf(SELLER, {
    title: `Heavy ${word} copper`,
    material_id: 'copper_no_1',
    price_basis: 'tonne',
    weight_kg: 12_400,
    grade: 'Berry',
  })
  await listingOf(SELLER, { title: `Old ${word} lead`, material_id: 'lead' })
  await page.goto('/listings')
  await page.getByRole('searchbox', { name: 'Search' }).fill(word)
  await expect(cards(page)).toHaveCount(2)
  await expect(page).toHaveURL(new RegExp(`search=${word}`))

  if (isMobile) await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByRole('combobox', { name: 'Material' }).selectOption({ label: 'No. 1' })
  await expect(page).toHaveURL(/material=copper_no_1/)
  await expect(cards(page)).toHaveCount(1)
  await page.reload()
  await expect(cards(page)).toHaveCount(1)
  const card = cards(page).first()
  await expect(card).toContainText('Copper · No. 1')
  await expect(card).toContainText('12.4 t · Berry · M1')
  await expect(card).toContainText('£100.00 / t')
  await expect(card).toContainText('No bids yet')
  await expectAccessible(page)

  await card.click()
  await expect(page.getByRole('heading', { level: 1, name: `Heavy ${word} copper` })).toBeFocused()
  await expect(page).toHaveURL(/\/listings\/[\w-]+\?.*material=copper_no_1/)
  await page.getByRole('link', { name: isMobile ? 'All listings' : 'Close' }).click()
  await expect(page).toHaveURL(new RegExp(`/listings\\?search=${word}&material=copper_no_1`))
  await expect(cards(page)).toHaveCount(1)
})

test('a list that finds nothing says so and offers everything', { tag: '@wide' }, async ({ page }) => {
  await page.goto(`/listings?search=${newWord()}&from=10&to=20&sort=newest`)
  await expect(page.getByRole('heading', { name: 'No listing matches' })).toBeVisible()
  await page.getByRole('button', { name: 'Show all listings' }).click()
  await expect(page).toHaveURL('/listings?sort=newest')
  await expect(page.getByRole('searchbox', { name: 'Search' })).toHaveValue('')
  await expect(cards(page).first()).toBeVisible()
})

test('prices narrow the list from and to', { tag: '@phone' }, async ({ page, isMobile }) => {
  const word = newWord()
  for (const pounds of [10, 20, 30]) await listingOf(SELLER, { title: `${word} at ${pounds}`, start_price: pounds * 100 })
  await page.goto(`/listings?search=${word}`)
  await expect(cards(page)).toHaveCount(3)
  if (isMobile) await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByLabel('Price from').fill('15')
  await expect(cards(page)).toHaveCount(2)
  await page.getByLabel('Price to').fill('25')
  await expect(cards(page)).toHaveCount(1)
  await expect(page).toHaveURL(/from=15&to=25/)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(cards(page)).toHaveCount(3)
  await expect(page.getByLabel('Price from')).toHaveValue('')
})

test('a price that was typed just before Clear filters does not come back', { tag: '@wide' }, async ({ page }) => {
  await page.clock.install()
  await page.goto('/listings?from=5')
  await expect(page.getByRole('button', { name: 'Clear filters' })).toBeVisible()
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.getByLabel('Price to').fill('25')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page).toHaveURL('/listings')
  await page.clock.runFor(1_000)
  await expect(page.getByLabel('Price to')).toHaveValue('')
  await expect(page).toHaveURL('/listings')
})

test('the list goes on when its end is near, and Show more works by keyboard', { tag: '@wide' }, async ({ page }) => {
  const word = newWord()
  await Promise.all(Array.from({ length: 50 }, (_, nth) => listingOf(SELLER, { title: `${word} ${nth}` })))
  // the second page fails once: from then on nothing is loaded by itself
  await page.route(/cursor=/, (route) => route.abort(), { times: 1 })
  await page.goto(`/listings?search=${word}`)
  await expect(cards(page)).toHaveCount(24)
  await page.mouse.wheel(0, 20_000)
  await expect(page.getByText('Yardbid cannot be reached.')).toBeVisible()
  await page.getByRole('button', { name: 'Show more' }).press('Enter')
  await expect(cards(page)).not.toHaveCount(24)
  await expect(async () => {
    await page.mouse.wheel(0, 20_000)
    await expect(cards(page)).toHaveCount(50, { timeout: 500 })
  }).toPass()
  await expect(page.getByRole('button', { name: 'Show more' })).toBeHidden()
})

test('a listing shows its facts, and a visitor logs in and comes back to bid', { tag: '@phone' }, async ({ page }) => {
  const id = await listingOf(SELLER, { price_basis: 'tonne', weight_kg: 2_000, ewc_code: '17 04 01', reservation_price: 900_00 })
  await page.goto(`/listings/${id}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Bright copper wire' })).toBeVisible()
  const article = page.getByRole('article')
  await expect(article.getByText('17 04 01')).toBeVisible()
  await expect(article.getByText('Manchester, M1')).toBeVisible()
  await expect(article.getByText('Whitfield Metals Ltd')).toBeVisible()
  await expect(article.getByText('Reserve not met')).toBeVisible()
  await expect(article.getByText('£900.00')).toHaveCount(0)
  await expectAccessible(page)

  await page.getByRole('link', { name: 'Log in to bid' }).click()
  await expect(page).toHaveURL(/\/login\?next=/)
  await fillLogin(page, BUYER, demoPassword)
  await expect(page).toHaveURL(`/listings/${id}`)
  await expect(page.getByRole('button', { name: 'Bid £100.00 / t', exact: true })).toBeVisible()
})

test('who may not bid is told what to do, and the owner that it is theirs', { tag: '@wide' }, async ({ page }) => {
  const id = await listingOf(SELLER, { reservation_price: 900_00 })
  await logIn(page, 'basic@yardbid.test')
  await page.goto(alone(id))
  await expect(page.getByText('Bidding belongs to Full.')).toBeVisible()
  await page.getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL('/')
  await logIn(page, SELLER)
  await page.goto(alone(id))
  await expect(page.getByText('This is your listing.')).toBeVisible()
  await expect(page.getByText('£900.00')).toBeVisible()
  await expectAccessible(page)
})

test(
  'who has not confirmed the email is told so in place of the bid form, and Send it again works after a lost answer',
  { tag: '@wide' },
  async ({ page }) => {
    const id = await listingOf(SELLER, {})
    await unconfirmEmail(await ownAccount(page))
    let calls = 0
    await page.route('**/api/v1/auth/verify-email', async (route) => {
      if (calls++ > 0) return route.continue()
      await route.fetch()
      return route.abort()
    })
    await page.goto(alone(id))
    const box = page.getByRole('region', { name: 'Bidding' })
    await expect(box.getByText('Confirm your email address to bid: open the link that we sent to you.')).toBeVisible()
    await expect(page.getByLabel('Your bid')).toHaveCount(0)
    const again = box.getByRole('button', { name: 'Send it again' })
    await again.click()
    const notices = page.getByRole('region', { name: 'Notices' })
    await expect(notices.getByText('Yardbid cannot be reached.')).toBeVisible()
    await expect(notices.getByText('Please check your email.')).toHaveCount(0)
    await expectAccessible(page)
    await again.click()
    await expect(notices.getByText('Please check your email.')).toBeVisible()
    expect(calls).toBe(2)
  },
)

test('the last minute counts down by the server’s clock, and a listing that has ended takes no bid', { tag: '@wide' }, async ({ page }) => {
  const over = new Date(Date.now() - 60_000)
  const ended = await listingOf(SELLER, { status: 'Expired', expires_at: over, first_expires_at: over })
  await beBidder(page)
  // a visitor's clock that is a day late
  await page.clock.install({ time: Date.now() - 86_400_000 })
  const soonOver = new Date(Date.now() + 59_000)
  await page.goto(alone(await listingOf(SELLER, { expires_at: soonOver, first_expires_at: soonOver })))
  await expect(page.getByRole('region', { name: 'Bidding' })).toContainText(/0h 0m [1-5]?\ds/)
  await page.goto(alone(ended))
  await expect(page.getByRole('region', { name: 'Bidding' }).getByRole('status')).toHaveText('This listing has ended without a bid.')
  await expect(page.getByRole('button', { name: /^Bid/ })).toHaveCount(0)
  await expectAccessible(page)
})

test('a listing that does not exist says so, and one that does not load can be tried again', { tag: '@wide' }, async ({ page }) => {
  await page.goto(alone('00000000-0000-4000-8000-000000000000'))
  await expect(page.getByRole('heading', { level: 1, name: 'There is no such listing' })).toBeVisible()
  await expectAccessible(page)
  const id = await listingOf(SELLER, {})
  await page.route(`**/api/v1/listings/${id}`, (route) => route.abort())
  await page.goto(alone(id))
  await expect(page.getByRole('heading', { level: 1, name: 'This listing did not load' })).toBeVisible()
  await page.unroute(`**/api/v1/listings/${id}`)
  await page.getByRole('article').getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Bright copper wire' })).toBeVisible()
})

test(
  'a part whose chunk does not load leaves the page standing, and comes when the network is back',
  { tag: '@wide' },
  async ({ page, context }) => {
    const id = await listingOf(SELLER, {})
    await beBidder(page)
    const isLost = page.waitForEvent('requestfailed', (request) => request.url().includes('/listing-chat-'))
    await page.route('**/assets/listing-chat-*', (route) => route.abort(), { times: 1 })
    await page.goto(alone(id))
    await isLost
    await expect(page.getByRole('button', { name: /^Bid £/ })).toBeVisible()
    await context.setOffline(true)
    await context.setOffline(false)
    await expect(page.getByRole('link', { name: 'Ask the seller' })).toBeVisible()
  },
)

test('a listing whose photos are being checked has not begun, and does not read as ended', { tag: '@phone' }, async ({ page }) => {
  const id = await listingOf(SELLER, {})
  await page.route(`**/api/v1/listings/${id}`, async (route) => {
    const { data } = (await (await route.fetch()).json()) as { data: { status: object } }
    await route.fulfill({ json: { data: { ...data, status: { ...data.status, name: 'Processing', label: 'Processing' } } } })
  })
  await page.goto(alone(id))
  await expect(page.getByRole('region', { name: 'Bidding' }).getByText('Bidding has not begun yet.')).toBeVisible()
})
