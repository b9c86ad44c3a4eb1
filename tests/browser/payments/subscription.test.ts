import type { Page } from '@playwright/test'
import { endSessions, listingOf, useUpTrial } from '#tests/browser/support/database.ts'
import { answerLate } from '#tests/browser/support/late-answer.ts'
import { cardForm, cards, expectNoCard, hearRequests, holdFirst, notAnswering, part, typeCard } from '#tests/browser/support/payments.ts'
import { newCoupon, subscribe } from '#tests/browser/support/provider.ts'
import { ownAccount } from '#tests/browser/support/account.ts'
import { expect, expectAccessible, test } from '#tests/browser/support/visit.ts'

const address = '/account/subscriptions'
const plan = (page: Page) => part(page, 'Your plan')
const send = (page: Page) => cardForm(page).getByRole('button', { name: 'Subscribe' }).click()

async function openUpgrade(page: Page): Promise<void> {
  await page.goto(address)
  await plan(page).getByRole('button', { name: 'Upgrade to Full' }).click()
  await expect(cardForm(page)).toBeVisible()
}

/** The provider tells of the invoice a moment after the payment. */
async function expectOnePayment(page: Page): Promise<void> {
  const paid = part(page, 'Invoices').getByRole('row').filter({ hasText: '£165.00' })
  await expect(async () => {
    await page.reload()
    await expect(paid).toHaveCount(1, { timeout: 10_000 })
  }).toPass()
}

/** The subscription page of somebody who has just subscribed, loaded. */
async function openSubscribed(page: Page): Promise<void> {
  await subscribe(await ownAccount(page))
  await page.goto(address)
  await expect(plan(page).getByText('Free trial')).toBeVisible()
}

test('a member subscribes: six months free, a card that is declined, a reload, another card, and the tier follows at once', async ({
  page,
}) => {
  await ownAccount(page)
  const listing = await listingOf('seller@yardbid.test', {})
  const sent = hearRequests(page)
  const answers: Promise<{ client_secret: string }>[] = []
  page.on('response', (response) => {
    if (response.request().method() === 'POST' && response.url().endsWith('/api/v1/stripe/subscription')) answers.push(response.json())
  })
  await openUpgrade(page)
  await expect(plan(page).getByText(/^6 months free, then £165\.00 a month from \d+ \w+ \d{4}$/)).toBeVisible()
  await expect(plan(page).getByText('£0.00')).toBeVisible()
  await expectAccessible(page)
  await typeCard(cardForm(page), cards.declined)
  await send(page)
  await expect(cardForm(page).getByLabel('Card number')).toHaveAccessibleDescription('Your card was declined.')

  await page.reload()
  await typeCard(cardForm(page), cards.good)
  await send(page)
  await expect(plan(page).getByText('Free trial')).toBeVisible()
  await expect(plan(page).getByText(/\d+ days left, until/)).toBeVisible()
  await expect(part(page, 'Card').getByText('Visa ending in 4242')).toBeVisible()
  const secrets = (await Promise.all(answers)).map(({ client_secret }) => client_secret)
  expect(secrets.length).toBeGreaterThan(1)
  expect(new Set(secrets).size, 'it is gone on with where it was left').toBe(1)
  expect(secrets[0]).toMatch(/^seti_/)
  expectNoCard(sent())
  await expectAccessible(page)

  await expect(page.getByRole('columnheader', { name: /Full/ })).toContainText('Yours')
  await page.goto(`/listings/${listing}`)
  await expect(page.getByRole('form', { name: 'Bid' })).toBeVisible()
})

test(
  'a coupon is judged by the server; a trial that is over meanwhile is told before anything is taken, and the invoice can be downloaded',
  { tag: '@wide' },
  async ({ page }) => {
    const email = await ownAccount(page)
    const code = await newCoupon({ percent_off: 50, duration: 'repeating', duration_in_months: 12 })
    const once = await newCoupon({ amount_off: 1_000 })
    await openUpgrade(page)
    await plan(page).getByRole('button', { name: 'Add a coupon' }).click()
    const field = plan(page).getByLabel('Coupon code')
    await field.fill('NO-SUCH-CODE')
    await plan(page).getByRole('button', { name: 'Apply' }).click()
    await expect(field).toHaveAccessibleDescription('We do not know this code.')
    await field.fill(once)
    await plan(page).getByRole('button', { name: 'Apply' }).click()
    await expect(field).toHaveAccessibleDescription(/cannot be used with a free trial/)
    await page.route('**/coupons/validate', (route) => route.fulfill(notAnswering), { times: 1 })
    await field.fill(code.toLowerCase())
    await plan(page).getByRole('button', { name: 'Apply' }).click()
    await expect(field).toHaveAccessibleDescription(/could not be checked/)
    await plan(page).getByRole('button', { name: 'Apply' }).click()
    await expect(plan(page).getByText('Half off for 12 months from the start of the trial')).toBeVisible()
    await expect(plan(page).getByText(/^6 months free, then £82\.50 a month from/)).toBeVisible()
    await expect(plan(page).getByText('When the coupon ends')).toBeVisible()
    await expectAccessible(page)

    await useUpTrial(email)
    await typeCard(cardForm(page), cards.good)
    await send(page)
    await expect(page.getByText('The free trial is over. Look at the price once more, then subscribe.')).toBeVisible()
    await expect(plan(page).getByText('Half off for 12 months', { exact: true })).toBeVisible()
    await expect(plan(page).getByText(/months free/)).toBeHidden()
    await typeCard(cardForm(page), cards.unfunded)
    await send(page)
    await expect(cardForm(page).getByLabel('Card number')).toHaveAccessibleDescription('Your card has insufficient funds.')
    await typeCard(cardForm(page), cards.good)
    await send(page)
    await expect(plan(page).getByText('Active', { exact: true })).toBeVisible()
    await expect(plan(page).getByText(`${code}: Half off for 12 months`)).toBeVisible()

    const row = part(page, 'Invoices').getByRole('row').filter({ hasText: '£82.50' })
    await expect(row.getByText('Paid')).toBeVisible()
    const download = page.waitForEvent('download')
    await row.getByRole('button', { name: /^Download invoice/ }).click()
    expect((await download).suggestedFilename()).toMatch(/\.pdf$/)
  },
)

test('a subscription that is answered too late is asked for again, and begun once', { tag: '@phone' }, async ({ page }) => {
  await useUpTrial(await ownAccount(page))
  await openUpgrade(page)
  const { passTimeLimit, expectNoError } = await answerLate(page, '**/api/v1/stripe/subscription')
  await typeCard(cardForm(page), cards.good)
  await send(page)
  await passTimeLimit()
  await expect(plan(page).getByText('Active', { exact: true })).toBeVisible()
  await expectNoError()
  await expectOnePayment(page)
})

test('a card that asks for its holder begins a subscription once the bank has confirmed it', { tag: '@phone' }, async ({ page }) => {
  await ownAccount(page)
  await openUpgrade(page)
  const pay = async () => {
    await typeCard(cardForm(page), cards.authenticated)
    await send(page)
    await expect(page.getByRole('heading', { name: 'Is that you?' })).toBeVisible()
  }
  await pay()
  await page.getByRole('button', { name: 'Refuse' }).click()
  await expect(cardForm(page).getByLabel('Card number')).toHaveAccessibleDescription(/unable to authenticate/)
  await pay()
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(plan(page).getByText('Free trial')).toBeVisible()
  await expect(page).toHaveURL(address)
})

test('a subscription is cancelled after a confirmation, and taken back', async ({ page }) => {
  await openSubscribed(page)
  const dialog = page.getByRole('alertdialog', { name: 'Are you sure?' })
  const cancel = async () => {
    await plan(page).getByRole('button', { name: 'Cancel subscription' }).click()
    await dialog.getByRole('button', { name: 'Yes, cancel' }).click()
  }
  await plan(page).getByRole('button', { name: 'Cancel subscription' }).click()
  await expect(dialog.getByText(/Full stays until/)).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Keep Full' }).click()
  await expect(dialog).toBeHidden()

  await page.route('**/subscription/delete', (route) => route.fulfill(notAnswering), { times: 1 })
  await cancel()
  await expect(page.getByText('Unable to cancel subscription')).toBeVisible()
  await cancel()
  await expect(page.getByText('Your subscription cancelled successful')).toBeVisible()
  await expect(plan(page).getByText('Cancelled', { exact: true })).toBeVisible()

  await page.route('**/subscription/reactivate', (route) => route.fulfill(notAnswering), { times: 1 })
  await plan(page).getByRole('button', { name: 'Reactivate' }).click()
  await expect(page.getByText('Unable to reactivate subscription')).toBeVisible()
  await plan(page).getByRole('button', { name: 'Reactivate' }).click()
  await expect(page.getByText('Subscription reactivated')).toBeVisible()
  await expect(plan(page).getByText('Free trial')).toBeVisible()
})

test('a subscription that was cancelled elsewhere meanwhile counts as cancelled', { tag: '@wide' }, async ({ page, context }) => {
  await openSubscribed(page)
  const other = await context.newPage()
  await other.goto(address)
  for (const tab of [other, page]) await tab.getByRole('button', { name: 'Cancel subscription' }).click()
  await other.getByRole('alertdialog').getByRole('button', { name: 'Yes, cancel' }).click()
  await expect(other.getByText('Your subscription cancelled successful')).toBeVisible()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes, cancel' }).click()
  await expect(page.getByText('Your subscription is already cancelled')).toBeVisible()
  await expect(plan(page).getByText('Cancelled', { exact: true })).toBeVisible()
})

test('a change to Basic that is answered too late is told as done', { tag: '@wide' }, async ({ page }) => {
  await openSubscribed(page)
  const { passTimeLimit, expectNoError } = await answerLate(page, '**/api/v1/stripe/subscription', 'PATCH')
  await plan(page).getByRole('button', { name: 'Change to Basic' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Change to Basic' }).click()
  await passTimeLimit()
  await expect(page.getByText('Subscription updated successful')).toBeVisible()
  await expect(page.getByText('Unable to change plan')).toBeHidden()
  await expectNoError()
})

test('the plan changes at once, and permissions with it', { tag: '@wide' }, async ({ page }) => {
  await openSubscribed(page)
  const change = async () => {
    await plan(page).getByRole('button', { name: 'Change to Basic' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Change to Basic' }).click()
  }
  await page.route('**/api/v1/stripe/subscription', (route) =>
    route.request().method() === 'PATCH' ? route.fulfill(notAnswering) : route.fallback(),
  )
  await change()
  await expect(page.getByText('Unable to change plan')).toBeVisible()
  await page.unroute('**/api/v1/stripe/subscription')
  await change()
  await expect(page.getByText('Subscription updated successful')).toBeVisible()
  await expect(page.getByRole('columnheader', { name: /Basic/ })).toContainText('Yours')
  await page.goto(`/listings/${await listingOf('seller@yardbid.test', {})}`)
  await page.getByRole('link', { name: 'See the subscription' }).click()
  await expect(page).toHaveURL(`${address}#plan`)

  await plan(page).getByRole('button', { name: 'Upgrade to Full' }).click()
  await expect(plan(page).getByText('Visa ending in 4242'), 'the card of the first time is named').toBeVisible()
  await expect(plan(page).getByText(/months free/), 'a trial is given once').toBeHidden()
})

test('who subscribes again sees the card that is charged, uses another, confirms the amount, and is told that it worked', async ({
  page,
}) => {
  await openSubscribed(page)
  const saveCard = async (place: string, number: string) => {
    await part(page, place).getByRole('button', { name: 'Change card' }).click()
    await typeCard(cardForm(page), number)
    await cardForm(page).getByRole('button', { name: 'Save card' }).click()
    await expect(cardForm(page)).toBeHidden()
  }
  await saveCard('Card', '5555555555554444')
  await plan(page).getByRole('button', { name: 'Change to Basic' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Are you sure?' })
  await expect(dialog).toContainText('Your free trial ends at once and for good: you cannot have it again')
  await dialog.getByRole('button', { name: 'Change to Basic' }).click()
  await expect(page.getByText('Subscription updated successful')).toBeVisible()

  await plan(page).getByRole('button', { name: 'Upgrade to Full' }).click()
  await expect(plan(page).getByText('Mastercard ending in 4444')).toBeVisible()
  await expect(plan(page).getByText('Expires 12/')).toBeVisible()
  await expectAccessible(page)
  await saveCard('Your plan', cards.good)
  await expect(plan(page).getByText('Visa ending in 4242')).toBeVisible()
  await plan(page).getByRole('button', { name: 'Subscribe' }).click()
  await expect(dialog).toContainText('£165.00 is taken from Visa ending in 4242 now')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Not now' }).click()
  await plan(page).getByRole('button', { name: 'Subscribe' }).click()
  await dialog.getByRole('button', { name: 'Pay £165.00' }).click()
  await expect(page.getByText('£165.00 was taken from Visa ending in 4242.')).toBeVisible()
  await expect(plan(page).getByText('Active', { exact: true })).toBeVisible()
  await expectOnePayment(page)
})

test('another card takes the place of the old one', { tag: '@phone' }, async ({ page }) => {
  await openSubscribed(page)
  const section = part(page, 'Card')
  await section.getByRole('button', { name: 'Change card' }).click()
  await typeCard(cardForm(page), cards.expired)
  await cardForm(page).getByRole('button', { name: 'Save card' }).click()
  await expect(cardForm(page).getByLabel('Expiry date')).toHaveAccessibleDescription('Your card has expired.')
  await typeCard(cardForm(page), '5555555555554444')
  await cardForm(page).getByRole('button', { name: 'Save card' }).click()
  await expect(page.getByText('Success', { exact: true })).toBeVisible()
  await expect(page.getByText('Card added successfully')).toBeVisible()
  await expect(section.getByText('Mastercard ending in 4444')).toBeVisible()
})

test('a failed renewal says what to do and until when', async ({ page }) => {
  await subscribe(await ownAccount(page))
  await page.route('**/api/v1/stripe/subscription', async (route) => {
    if (route.request().method() !== 'GET') return route.fallback()
    const { data } = (await (await route.fetch()).json()) as { data: object }
    await route.fulfill({ json: { data: { ...data, status: 'past_due', next_payment: null, grace_ends_at: '2027-05-22T09:00:00.000Z' } } })
  })
  await page.goto(address)
  const banner = page.getByRole('alert').filter({ hasText: 'Your payment of £165.00 failed' })
  await expect(banner).toContainText('Full stays as it is until 22 May 2027')
  await expectAccessible(page)
  await banner.getByRole('link', { name: 'Change your card' }).click()
  await expect(part(page, 'Card').getByRole('button', { name: 'Change card' })).toBeInViewport()
})

test(
  'a subscription that the server has not heard of yet is being confirmed, and can be looked at again',
  { tag: '@phone' },
  async ({ page }) => {
    await ownAccount(page)
    await page.clock.install()
    await openUpgrade(page)
    let isLate = true
    await page.route('**/api/v1/stripe/subscription', async (route) => {
      if (route.request().method() !== 'GET' || !isLate) return route.fallback()
      const { data } = (await (await route.fetch()).json()) as { data: object }
      await route.fulfill({ json: { data: { ...data, status: 'incomplete' } } })
    })
    await typeCard(cardForm(page), cards.good)
    await send(page)
    await expect(page.getByText('Confirming your subscription…')).toBeVisible()
    await page.clock.fastForward(10_000)
    await expect(page.getByText('Your subscription is being confirmed')).toBeVisible()
    await expectAccessible(page)
    isLate = false
    await page.getByRole('button', { name: 'Check again' }).click()
    await expect(plan(page).getByText('Free trial')).toBeVisible()
  },
)

test('plan and invoices are loading, failed, empty and filled, page by page', { tag: '@wide' }, async ({ page }) => {
  // a live stream would tell of the session's end first
  await page.route('**/api/v1/events?**', () => undefined)
  const email = await ownAccount(page)
  const letGo = await holdFirst(page, '**/api/v1/stripe/subscription')
  await page.route('**/subscription/invoices?*', (route) => route.fulfill(notAnswering), { times: 1 })
  await page.goto(address)
  await expect(plan(page).getByText('Loading your plan…')).toBeAttached()
  letGo()
  await expect(plan(page).getByText(/not answering/)).toBeVisible()
  await expectAccessible(page)
  await plan(page).getByRole('button', { name: 'Try again' }).click()
  await expect(plan(page).getByRole('heading', { name: 'Basic' })).toBeVisible()
  const invoices = part(page, 'Invoices')
  await invoices.getByRole('button', { name: 'Try again' }).click()
  await expect(invoices.getByText('No invoices yet')).toBeVisible()

  await page.route('**/subscription/invoices?*', (route) =>
    route.fulfill({ json: invoicesOn(Number(new URL(route.request().url()).searchParams.get('page'))) }),
  )
  await page.reload()
  await expect(invoices.getByRole('cell', { name: 'YB-1-1', exact: true })).toBeVisible()
  await invoices.getByRole('button', { name: 'Older' }).click()
  await expect(invoices.getByRole('cell', { name: 'YB-2-1', exact: true })).toBeVisible()
  await expect(invoices.getByRole('button', { name: 'Older' })).toBeDisabled()
  await page.route('**/invoices/*/download', (route) => route.fulfill(notAnswering))
  await invoices.getByRole('button', { name: 'Download invoice YB-2-1' }).click()
  await expect(page.getByText(/not answering/)).toBeVisible()
  await page.unroute('**/invoices/*/download')
  await endSessions(email)
  await invoices.getByRole('button', { name: 'Download invoice YB-2-1' }).click()
  await expect(page, 'a session that has ended asks for a new log-in').toHaveURL(/\/login\?next=/)
})

const gbp = (value: number) => ({ value, currency: 'GBP' })
const invoicesOn = (current_page: number) => ({
  data: (['paid', 'open', 'void', 'uncollectible'] as const).map((status, nth) => ({
    id: crypto.randomUUID(),
    number: `YB-${current_page}-${nth + 1}`,
    status,
    total: gbp(16_500),
    amount_due: gbp(0),
    period_start: '2026-09-15T09:00:00.000Z',
    period_end: '2026-10-15T09:00:00.000Z',
    created_at: '2026-10-15T09:00:00.000Z',
  })),
  meta: { current_page, last_page: 2, per_page: 4, total: 8 },
})
