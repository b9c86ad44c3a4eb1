import type { Page } from '@playwright/test'
import { listingOf, newBidder } from '#tests/browser/support/database.ts'
import { cardForm, cards, notAnswering, part, typeCard } from '#tests/browser/support/payments.ts'
import { unverifyAccount } from '#tests/browser/support/provider.ts'
import { ownAccount } from '#tests/browser/support/account.ts'
import { expect, expectAccessible, test } from '#tests/browser/support/visit.ts'

const atProvider = (page: Page) => page.getByRole('heading', { name: 'Your payment account' })
const follow = (page: Page) => page.getByRole('link', { name: 'Continue to Stripe' }).click()

test('the account area says what is missing, leads to Stripe, and shows what came of it', async ({ page }) => {
  await unverifyAccount(await ownAccount(page, { isAtProvider: true }))
  await page.goto('/account/view-edit#payment-account')
  const section = part(page, 'Payment account')
  await expect(section.getByText('Stripe needs something more')).toBeVisible()
  await page.goto('/')
  await page.getByRole('main').getByRole('link', { name: 'Stripe needs something more' }).click()
  await expect(page).toHaveURL('/account/view-edit#payment-account')
  await expect(section.getByText('Upload a photo of your passport or driving licence.')).toBeVisible()
  await expect(section).toBeInViewport()
  await expectAccessible(page)
  await follow(page)
  await expect(atProvider(page)).toBeVisible()
  await page.getByRole('button', { name: 'Finish with test details' }).click()
  await expect(page, 'where the guard sends').toHaveURL('/market')
  await expect(page.getByText('Your payment account is verified')).toBeVisible()

  await page.goto('/account/view-edit#payment-account')
  await expect(section.getByText('Verified by Stripe')).toBeVisible()
  await expect(section.getByText('Still missing')).toBeHidden()
  await section.getByRole('link', { name: 'Open your Stripe account' }).click()
  await expect(page.getByRole('heading', { name: 'Your balance' })).toBeVisible()
})

test('a provider that does not answer is told, and asked again', { tag: '@wide' }, async ({ page }) => {
  await ownAccount(page, { isAtProvider: true })
  await page.route('**/api/v1/stripe/account', (route) => route.fulfill(notAnswering), { times: 1 })
  await page.route('**/api/v1/stripe/create-login-link', (route) => route.fulfill(notAnswering), { times: 1 })
  await page.goto('/account/view-edit')
  const section = part(page, 'Payment account')
  await expect(section.getByText(/not answering/)).toBeVisible()
  await section.getByRole('button', { name: 'Try again' }).click()
  await expect(section.getByText('Verified by Stripe')).toBeVisible()
  const open = section.getByRole('link', { name: 'Open your Stripe account' })
  await open.click()
  await expect(open).toHaveAccessibleDescription(/not answering/)
  await open.click()
  await expect(page.getByRole('heading', { name: 'Your balance' })).toBeVisible()
})

test('somebody who comes back from Stripe goes on in onboarding, whether it was finished or not', { tag: '@phone' }, async ({ page }) => {
  await ownAccount(page, { isOnboarded: false })
  await page.goto('/stripe/return')
  await expect(page).toHaveURL('/onboarding')
  await expect(page.getByText('Your payment account is not finished')).toBeVisible()
})

test('a return that cannot be looked at says so, and can be tried again', { tag: '@phone' }, async ({ page }) => {
  await ownAccount(page)
  let refused = 0
  await page.route('**/api/v1/stripe/account', (route) => (refused++ < 2 ? route.fulfill(notAnswering) : route.continue()))
  await page.goto('/stripe/return')
  await expect(page.getByText(/not answering/)).toBeVisible()
  await expectAccessible(page)
  const again = page.getByRole('button', { name: 'Try again' })
  await again.click()
  await expect.poll(() => refused, 'the second answer, not the first').toBe(2)
  await expect(page.getByText(/not answering/)).toBeVisible()
  await again.click()
  await expect(page).toHaveURL('/market')
})

test('a link to Stripe that has expired leads to onboarding, with the way to a new one', { tag: '@wide' }, async ({ page }) => {
  await ownAccount(page, { isOnboarded: false })
  await page.goto('/stripe/reauth')
  await expect(page).toHaveURL('/onboarding')
  await expect(page.getByText('Your link to Stripe has expired')).toBeVisible()
  await page.getByRole('button', { name: 'Continue to Stripe' }).click()
  await expect(atProvider(page)).toBeVisible()
  const used = page.url()
  await page.goto('/')
  await page.goto(used)
  await expect(page, 'it works once').toHaveURL('/onboarding')
  await expect(page.getByText('Your link to Stripe has expired')).toBeVisible()
})

test('a visitor who comes back from Stripe is sent to sign-up', { tag: '@wide' }, async ({ page }) => {
  for (const path of ['/stripe/return', '/stripe/reauth']) {
    await page.goto(path)
    await expect(page).toHaveURL('/register')
  }
})

test('a bid that a missing card stands in the way of leads to the place where it is saved', { tag: '@phone' }, async ({ page }) => {
  await newBidder(await ownAccount(page), { hasCard: false })
  const id = await listingOf('seller@yardbid.test', {})
  const bidNow = async () => {
    await page.goto(`/listings/${id}`)
    await page
      .getByRole('button', { name: /^Bid £/ })
      .first()
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm bid' }).click()
  }
  await bidNow()
  await page.getByRole('link', { name: 'Save a card' }).click()
  await expect(page).toHaveURL('/account/subscriptions#holding-fee')
  const section = part(page, 'Card for the holding fee')
  await expect(section).toBeInViewport()
  await section.getByRole('button', { name: 'Add a card' }).click()
  await typeCard(cardForm(page), cards.good)
  await cardForm(page).getByRole('button', { name: 'Save card' }).click()
  await expect(section.getByText('Visa ending in 4242')).toBeVisible()
  await bidNow()
  await expect(page.getByText('You lead at')).toBeVisible()
})
