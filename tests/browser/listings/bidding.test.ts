import type { Locator, Page } from '@playwright/test'
import { ownAccount } from '#tests/browser/support/account.ts'
import { alone } from '#tests/browser/support/browsing.ts'
import { listingOf, newBidder } from '#tests/browser/support/database.ts'
import { beBidder, bid, bidAsRival } from '#tests/browser/support/session.ts'
import { expect, expectAccessible, fillLogin, test } from '#tests/browser/support/visit.ts'
import { goodPassword } from '#tests/support/people.ts'

const SELLER = 'seller@yardbid.test'

test('a bid is confirmed with price × weight + VAT, leads, and is outbid by a rival', async ({ page }) => {
  const id = await listingOf(SELLER, { price_basis: 'tonne', weight_kg: 12_400, start_price: 5_200_00 })
  await beBidder(page)
  await page.goto(alone(id))
  const box = page.getByRole('region', { name: 'Bidding' })
  await page.getByLabel('Your bid').fill('5225')
  await expect(box.getByText('£77,748.00')).toBeVisible()
  await page.getByRole('button', { name: 'Bid £5,225.00 / t', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Bid £5,225.00 / t?' })
  await expect(dialog.getByText('£5,225.00 / t × 12.4 t')).toBeVisible()
  await expect(dialog.getByText('£64,790.00')).toBeVisible()
  await expect(dialog.getByText('£12,958.00')).toBeVisible()
  await expect(dialog.getByText('£77,748.00')).toBeVisible()
  await expect(dialog.getByText('Check the amount')).toBeHidden()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Confirm bid' }).dblclick()
  await expect(box.getByRole('status')).toContainText('You lead at £5,225.00 / t.')
  await expect(page.getByRole('listitem').filter({ hasText: /^You/ })).toHaveCount(1)
  await expectAccessible(page)

  await bidAsRival(id, 5_250_00)
  await expect(box.getByRole('status')).toHaveText('You were outbid. The next bid is £5,275.00 / t or more.')
  await expect(page.getByRole('listitem').filter({ hasText: /^Bidder 2/ })).toContainText('£5,250.00')
  await expect(page.getByRole('button', { name: 'Bid £5,275.00 / t', exact: true })).toBeVisible()
  await expectAccessible(page)
})

test('the history shows a bid at its amount, and the automatic answer as such', { tag: '@wide' }, async ({ page }) => {
  const id = await listingOf(SELLER, { start_price: 1_000_00 })
  await beBidder(page)
  await bidAsRival(id, 1_000_00, 2_000_00)
  await page.goto(alone(id))
  await page.getByLabel('Your bid').fill('1130')
  await confirm(page, 'Bid £1,130.00')
  const rows = page.getByRole('region', { name: 'Bids' }).getByRole('listitem')
  await expect(rows).toHaveCount(3)
  await expect(rows.nth(0)).toContainText(/^Bidder 1, automatic bid, leading.*£1,155\.00$/)
  await expect(rows.nth(1)).toContainText(/^You.*£1,130\.00$/)
  await expect(page.getByRole('img', { name: 'The price rose from £1,000.00 to £1,155.00 in 2 bids' })).toBeVisible()
})

test('a history of more than 50 bids shows the older ones by Show more, and the newest stay', { tag: '@wide' }, async ({ page }) => {
  const id = await listingOf(SELLER, { start_price: 100_00 })
  for (let nth = 0; nth < 52; nth++) await bidAsRival(id, 100_00 + nth * 100_00)
  await page.goto(alone(id))
  const history = page.getByRole('region', { name: 'Bids' })
  const rows = history.getByRole('listitem')
  await expect(rows).toHaveCount(50)
  await expect(rows.last()).toContainText('£300.00')
  await history.getByRole('button', { name: 'Show more' }).press('Enter')
  await expect(rows).toHaveCount(52)
  await expect(rows.first()).toContainText(/^Bidder 52, leading.*£5,200\.00$/)
  await expect(rows.last()).toContainText(/^Bidder 1.*£100\.00$/)
  await expect(history.getByRole('button', { name: 'Show more' })).toBeHidden()
})

test('a late bid moves the end and says so in the box, the history and the timeline', { tag: '@wide' }, async ({ page }) => {
  const soon = new Date(Date.now() + 240_000)
  const id = await listingOf(SELLER, { expires_at: soon, first_expires_at: soon })
  await beBidder(page)
  await page.goto(alone(id))
  await expect(page.getByText('No bids yet.')).toBeVisible()
  await bidAsRival(id, 100_00)
  const says = /^Extended to \d\d:\d\d:\d\d by a late bid$/
  await expect(page.getByRole('region', { name: 'Bidding' }).getByText(says)).toHaveAttribute('aria-live', 'polite')
  await expect(page.getByRole('region', { name: 'Bids' }).getByText(says)).toBeVisible()
  await expect(page.getByRole('region', { name: 'Timeline' }).getByText(says)).toBeVisible()
})

/** The live channel may have noticed the session's end before, and left the page. */
const pressIfThere = (button: Locator) => button.evaluateAll((found) => found.forEach((each) => (each as HTMLElement).click()))

test(
  'an amount that a session’s end kept from being bid is there after the log-in, and said not to be placed',
  { tag: '@wide' },
  async ({ page }) => {
    const id = await listingOf(SELLER, { start_price: 100_00 })
    const email = await ownAccount(page)
    await newBidder(email)
    await page.goto(alone(id))
    await page.getByLabel('Your bid').fill('123.45')
    await page.getByRole('button', { name: 'Bid £123.45', exact: true }).click()
    await page.context().clearCookies({ name: 'sid' })
    await pressIfThere(page.getByRole('dialog').getByRole('button', { name: 'Confirm bid' }))
    await expect(page).toHaveURL(/\/login/)
    await fillLogin(page, email, goodPassword)
    await expect(page.getByLabel('Your bid')).toHaveValue('123.45')
    await expect(page.getByText('Your session had ended, so £123.45 was not bid.')).toBeInViewport()
    await confirm(page, 'Bid £123.45')
    await expect(page.getByRole('region', { name: 'Bidding' }).getByRole('status').first()).toContainText('You lead at £123.45')
    await expect(page.getByText('Your bid was not placed')).toHaveCount(0)
  },
)

test('an amount that was typed when the session ended is there after the log-in', { tag: '@phone' }, async ({ page }) => {
  const id = await listingOf(SELLER, { start_price: 100_00 })
  const email = await ownAccount(page)
  await newBidder(email)
  await page.goto(alone(id))
  await page.getByLabel('Your bid').fill('222.22')
  await page.context().clearCookies({ name: 'sid' })
  await pressIfThere(page.getByRole('button', { name: 'Watch' }))
  await expect(page).toHaveURL(/\/login/)
  await fillLogin(page, email, goodPassword)
  await expect(page.getByLabel('Your bid')).toHaveValue('222.22')
  await expect(page.getByText('Your session had ended, so £222.22 was not bid.')).toBeInViewport()
})

test(
  'an open confirm dialog says that the price has moved, and takes no bid that is too low by now',
  { tag: '@wide' },
  async ({ page }) => {
    const id = await listingOf(SELLER, { start_price: 100_00 })
    await beBidder(page)
    await page.goto(alone(id))
    await page.getByRole('button', { name: 'Bid £100.00', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Bid £100.00?' })
    await expect(dialog.getByRole('button', { name: 'Confirm bid' })).toBeEnabled()
    await bidAsRival(id, 150_00)
    await expect(dialog.getByText('It is now £150.00. Your bid is no longer enough: go back and bid £155.00 or more.')).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Confirm bid' })).toBeDisabled()
    await expectAccessible(page)
  },
)

test(
  'a bid that got no answer offline is asked for again by itself when the network is back',
  { tag: '@wide' },
  async ({ page, context }) => {
    const id = await listingOf(SELLER, { start_price: 100_00 })
    await beBidder(page)
    await page.goto(alone(id))
    await expect(page.getByRole('button', { name: 'Bid £100.00', exact: true })).toBeVisible()
    await context.setOffline(true)
    await confirm(page, 'Bid £100.00')
    await expect(page.getByRole('dialog').getByText('We try again when you are back online.')).toBeVisible()
    await context.setOffline(false)
    await expect(page.getByRole('region', { name: 'Bidding' }).getByRole('status').first()).toContainText('You lead at £100.00')
  },
)

test('the phone’s bar shows who leads, and nothing that has the focus is behind it', { tag: '@phone' }, async ({ page }) => {
  const id = await listingOf(SELLER, { start_price: 100_00 })
  await beBidder(page)
  await bid(page, id, 100_00)
  await page.goto(alone(id))
  const bar = page.locator('[data-sticky-action]')
  await expect(bar.getByText('You lead')).toBeVisible()
  await expectFocusInSight(page)
  await bidAsRival(id, 110_00)
  await expect(bar.getByText('Outbid')).toBeVisible()
})

test('at 200 % zoom title and bid box are on the first screen, and the focus in sight', { tag: '@wide' }, async ({ page }) => {
  const id = await listingOf(SELLER, {})
  await beBidder(page)
  // screens of 1440 × 900, 1920 × 1080 and 1366 × 768
  for (const [width, height] of [
    [720, 450],
    [960, 540],
    [683, 384],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.goto(alone(id))
    await expect(page.getByRole('heading', { level: 1 })).toBeInViewport({ ratio: 1 })
    const price = page.getByRole('region', { name: 'Bidding' }).getByText('Start price')
    await expect(price).toBeInViewport({ ratio: 1 })
    // and no bar lies over it
    expect(
      await price.evaluate((words) =>
        words.contains(document.elementFromPoint(words.getBoundingClientRect().x + 4, words.getBoundingClientRect().y + 4)),
      ),
    ).toBe(true)
  }
  await expectFocusInSight(page)
})

test('the bid field takes pasted money, typed letters are still blocked', { tag: '@wide' }, async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const id = await listingOf(SELLER, { start_price: 100_00 })
  await beBidder(page)
  await page.goto(alone(id))
  const field = page.getByLabel('Your bid')
  for (const [copied, button] of [
    ['£4,200.00', 'Bid £4,200.00'],
    ['4,300', 'Bid £4,300.00'],
    ['4400.50 ', 'Bid £4,400.50'],
  ] as const) {
    await page.evaluate((text) => navigator.clipboard.writeText(text), copied)
    // the first one without a selection: what stands there makes no number with it
    if (copied.startsWith('£')) await field.focus()
    else await field.selectText()
    await page.keyboard.press('ControlOrMeta+V')
    await expect(page.getByRole('button', { name: button, exact: true })).toBeVisible()
  }
  await field.press('End')
  await field.pressSequentially('x,£ 1')
  await expect(field).toHaveValue('4400.501')
  await field.blur()
  await expect(field).toHaveValue('4400.50')
})

test('a bid that is too low by now says so and offers the new minimum with one click', { tag: '@wide' }, async ({ page }) => {
  const id = await listingOf(SELLER, { start_price: 100_00 })
  await beBidder(page)
  // this page does not hear of the rival's bid
  const known = await (await page.request.get(`/api/v1/listings/${id}`)).json()
  await page.route(`**/api/v1/listings/${id}`, (route) => route.fulfill({ json: known }))
  await page.route('**/api/v1/events?**', (route) => route.abort())
  await page.goto(alone(id))
  await expect(page.getByRole('button', { name: 'Bid £100.00', exact: true })).toBeVisible()
  await bidAsRival(id, 150_00)
  await confirm(page, 'Bid £100.00')
  await expect(page.getByText('Bid at least £155.00.')).toBeVisible()
  await expectAccessible(page)
  await page.unroute(`**/api/v1/listings/${id}`)
  await page.getByRole('button', { name: 'Bid £155.00 instead' }).click()
  await page.getByRole('dialog', { name: 'Bid £155.00?' }).getByRole('button', { name: 'Confirm bid' }).click()
  await expect(page.getByRole('region', { name: 'Bidding' }).getByRole('status')).toContainText('You lead at £155.00')
})

test(
  'a maximum above three times the price is warned of, bids as little as leads, and can be raised with a plain button',
  { tag: '@phone' },
  async ({ page }) => {
    const id = await listingOf(SELLER, { start_price: 100_00 })
    await beBidder(page)
    await page.goto(alone(id))
    await page.getByRole('radio', { name: 'Bid up to a maximum' }).check()
    await page.getByLabel('Your maximum').fill('300.01')
    const loud = page.getByRole('button', { name: 'Bid up to £300.01' })
    const loudColour = await backgroundOf(loud)
    await loud.click()
    const dialog = page.getByRole('dialog', { name: 'Bid up to £300.01?' })
    await expect(dialog.getByText('more than three times the current price of £100.00')).toBeVisible()
    await dialog.getByRole('button', { name: 'Confirm bid' }).click()
    const status = page.getByRole('region', { name: 'Bidding' }).getByRole('status')
    await expect(status).toHaveText('You lead at £100.00. Your maximum is £300.01.')
    await page.getByLabel('Your new maximum').fill('200')
    await expect(page.getByRole('button', { name: 'Bid £300.02 or more' })).toBeDisabled()
    await page.getByLabel('Your new maximum').fill('400')
    // a leader need do nothing: raising the maximum looks like any other offer of the page
    const raise = page.getByRole('button', { name: 'Raise maximum to £400.00' })
    await expect(raise).toBeEnabled()
    await page.mouse.move(0, 0)
    await expect(raise).toHaveCSS('background-color', await backgroundOf(page.getByRole('button', { name: /^Watch/ })))
    expect(await backgroundOf(raise)).not.toBe(loudColour)
    await confirm(page, 'Raise maximum to £400.00')
    await expect(status).toHaveText('You lead at £100.00. Your maximum is £400.00.')
  },
)

test('a bid without an answer is tried again with its key, and bids once', { tag: '@wide' }, async ({ page }) => {
  const id = await listingOf(SELLER, { start_price: 100_00 })
  await beBidder(page)
  await page.goto(alone(id))
  const keys: (string | undefined)[] = []
  await page.route(`**/api/v1/listings/${id}/bids`, async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    keys.push(route.request().headers()['idempotency-key'])
    if (keys.length > 1) return route.continue()
    await route.fetch()
    return route.abort()
  })
  await confirm(page, 'Bid £100.00')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('trying again never bids twice')).toBeVisible()
  await dialog.getByRole('button', { name: 'Try again' }).click()
  // the live channel may show the first bid as leading before the second request is sent
  await expect.poll(() => keys.length).toBe(2)
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('region', { name: 'Bidding' }).getByRole('status')).toContainText('You lead at £100.00')
  expect(keys[0]).toBe(keys[1])
  await expect(page.getByRole('region', { name: 'Bidding' }).getByText('1 bid', { exact: true })).toBeVisible()
})

test('a bid without an answer says nothing of another bid', { tag: '@wide' }, async ({ page }) => {
  const id = await listingOf(SELLER, { start_price: 100_00 })
  await beBidder(page)
  await page.goto(alone(id))
  await page.route(`**/api/v1/listings/${id}/bids`, (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()))
  await confirm(page, 'Bid £100.00')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('trying again never bids twice')).toBeVisible()
  await dialog.getByRole('button', { name: 'Go back' }).click()
  await page.getByLabel('Your bid').fill('150')
  await page.getByRole('button', { name: 'Bid £150.00', exact: true }).click()
  await expect(dialog.getByRole('button', { name: 'Confirm bid' })).toBeVisible()
  await expect(dialog.getByText('trying again never bids twice')).toHaveCount(0)
})

const backgroundOf = (button: Locator) => button.evaluate((element) => getComputedStyle(element).backgroundColor)

async function confirm(page: Page, button: string) {
  await page.getByRole('button', { name: button, exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm bid' }).click()
}

/** By Tab through the page: each thing that gets the focus is the one that is seen at its place. */
async function expectFocusInSight(page: Page) {
  for (let nth = 0; nth < 40; nth++) {
    await page.keyboard.press('Tab')
    const hidden = await page.evaluate(() => {
      const focused = document.activeElement
      if (!focused || focused === document.body || focused.closest('[data-sticky-action], nav')) return undefined
      const { x, y, width, height } = focused.getBoundingClientRect()
      const top = document.elementFromPoint(x + width / 2, y + height / 2)
      return top?.closest('[data-sticky-action], nav[aria-label="Main"]') ? focused.outerHTML.slice(0, 200) : undefined
    })
    expect(hidden).toBeUndefined()
  }
}
