import type { Page } from '@playwright/test'
import { demoPassword } from '#database/demo/users.ts'
import { countSessions, endSessions, listingOf, newBidder } from '#tests/browser/support/database.ts'
import { openProfile, ownAccount } from '#tests/browser/support/account.ts'
import { answerLate } from '#tests/browser/support/late-answer.ts'
import { PORT } from '#tests/browser/support/place.ts'
import { bidAsRival } from '#tests/browser/support/session.ts'
import { expect, expectAccessible, fillLogin, linkInMail, test } from '#tests/browser/support/visit.ts'
import { goodPassword } from '#tests/support/people.ts'

test('a full member logs in and lands on the market, a trade on the dashboard', { tag: '@phone' }, async ({ page }) => {
  await logIn(page, 'seller@yardbid.test')
  await expect(page).toHaveURL('/market')
  await expect(page.getByRole('banner').getByRole('button', { name: 'Log out' })).toBeHidden()
  await page.getByRole('link', { name: 'Account' }).click()
  await page.getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL('/')
  await logIn(page, 'trade@yardbid.test')
  await expect(page).toHaveURL('/')
})

test('wrong credentials are said on the credentials field, and what was typed stays', { tag: '@wide' }, async ({ page }) => {
  await page.goto('/login')
  await fillLogin(page, 'nobody@example.test', 'Wrong-pass-1')
  await expect(page.getByText('Email or password is not right.')).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveValue('nobody@example.test')
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('aria-invalid', 'true')
  await expectAccessible(page)
})

test('a login that is answered too late is asked for again, and lets in', { tag: '@phone' }, async ({ page, context }) => {
  const email = await ownAccount(page)
  await endSessions(email)
  await context.clearCookies()
  await page.goto('/login')
  const { passTimeLimit, expectNoError } = await answerLate(page, '**/auth/login?*')
  await fillLogin(page, email, goodPassword)
  await passTimeLimit()
  await expect(page).toHaveURL('/market')
  await expectNoError()
  expect(await countSessions(email)).toBe(1)
})

test('a login that is never answered says so after several tries, and keeps what was typed', { tag: '@wide' }, async ({ page }) => {
  await page.goto('/login')
  await page.clock.install()
  const asked: string[] = []
  await page.route('**/auth/login?*', (route) => void asked.push(route.request().url()))
  await fillLogin(page, 'seller@yardbid.test', demoPassword)
  for (const tries of [1, 2, 3, 4]) {
    await expect.poll(() => asked.length).toBe(tries)
    if (tries > 1) await expect(page.getByText('Still waiting for an answer…')).toBeVisible()
    await page.clock.fastForward(5_000)
  }
  await expect(page.getByText('Error', { exact: true })).toBeVisible()
  await expect(page.getByText(/We asked several times and got no answer\./)).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveValue('seller@yardbid.test')
  await expectAccessible(page)
  await page.unroute('**/auth/login?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page).toHaveURL('/market')
})

test('a login that an earlier try still has under way is asked for again, not refused', { tag: '@wide' }, async ({ page }) => {
  await page.goto('/login')
  let isFirst = true
  await page.route('**/auth/login?*', (route) => {
    if (!isFirst) return route.fallback()
    isFirst = false
    return route.fulfill({ status: 409, json: { message: 'This is being answered already.', code: 'idempotency_key_in_use' } })
  })
  await fillLogin(page, 'seller@yardbid.test', demoPassword)
  await expect(page).toHaveURL('/market')
})

test('a guard sends a visitor to login, and the login back to the page', { tag: '@wide' }, async ({ page }) => {
  await page.goto('/account/subscriptions')
  await expect(page).toHaveURL(/\/login\?next=/)
  await fillLogin(page, 'seller@yardbid.test', demoPassword)
  await expect(page).toHaveURL('/account/subscriptions')
})

test('37: after login a next that is no page of ours stays in the app', { tag: '@wide' }, async ({ page, baseURL }) => {
  for (const next of ['//evil.test', 'https://evil.test/', '/\\evil.test', 'javascript:alert(1)', '/no-such-page']) {
    await page.context().clearCookies()
    await page.goto(`/login?next=${encodeURIComponent(next)}`)
    await fillLogin(page, 'seller@yardbid.test', demoPassword)
    await expect(page, next).toHaveURL('/market')
    expect(new URL(page.url()).origin, next).toBe(baseURL)
  }
})

test('a temporary password leads to change-password and nowhere else until it is replaced', { tag: '@phone' }, async ({ page }) => {
  await logIn(page, 'temp@yardbid.test')
  await expect(page).toHaveURL('/account/change-password')
  await page.goto('/my-listings')
  await expect(page).toHaveURL('/account/change-password')
  await expect(page.getByLabel('Current password')).toBeHidden()
  await expectAccessible(page)

  const refused: string[] = []
  page.on('response', (response) => response.status() >= 400 && refused.push(response.url()))
  for (const path of ['/', '/listings', '/account/view-edit', '/login']) {
    await page.goto(path, { waitUntil: 'networkidle' })
    await expect(page, path).toHaveURL('/account/change-password')
  }
  expect(refused, 'nothing is asked for that the server must refuse').toEqual([])
})

test('Log in and Sign up in the top bar remember the page, through sign-up too', { tag: '@wide' }, async ({ page }) => {
  const banner = page.getByRole('banner')
  await page.goto('/listings?material=brass')
  await banner.getByRole('link', { name: 'Sign up' }).click()
  await expect(page).toHaveURL(/\/register\?next=/)
  await page.getByRole('main').getByRole('link', { name: 'Log in' }).click()
  await expect(page).toHaveURL(/\/login\?next=/)
  await banner.getByRole('link', { name: 'Log in' }).click()
  await fillLogin(page, 'seller@yardbid.test', demoPassword)
  await expect(page).toHaveURL('/listings?material=brass')
})

test('on plain http under another name: log-in, listings, a bid and a live price work', { tag: '@phone' }, async ({ page }) => {
  const email = await ownAccount(page)
  await newBidder(email)
  const id = await listingOf('seller@yardbid.test', { start_price: 10_000 })
  const origin = `http://yard.test:${PORT}`
  await page.goto(`${origin}/listings/${id}`)
  expect(await page.evaluate(() => isSecureContext || 'randomUUID' in crypto || 'locks' in navigator)).toBe(false)
  await page.goto(`${origin}/login?next=/listings/${id}`)
  await fillLogin(page, email, goodPassword)
  await expect(page).toHaveURL(`${origin}/listings/${id}`)
  await page.getByLabel('Your bid').fill('120')
  await page.getByRole('button', { name: /Bid/ }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm bid' }).click()
  await expect(page.getByText('You lead').first()).toBeVisible()
  await bidAsRival(id, 50_000)
  await expect(page.getByText(/outbid/i).first()).toBeVisible()
  await page.goto(`${origin}/listings`)
  await expect(page.getByRole('heading', { level: 1, name: 'Listings' })).toBeVisible()
})

test('a forgotten password is replaced by the link in the mail', { tag: '@phone' }, async ({ page }) => {
  const email = await ownAccount(page)
  await page.context().clearCookies()
  await page.goto('/forgot-password')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: /send|email/i }).click()
  await expect(page.getByText('Please check your email.')).toBeVisible()
  await page.goto(await linkInMail(page, email, '/reset-password'))
  await page.getByLabel('New password', { exact: true }).fill('Brass-Swarf-22')
  await page.getByLabel('Confirm new password').fill('Brass-Swarf-22')
  await page.getByRole('button', { name: 'Save password' }).click()
  await expect(page.getByText('Successfully updated password')).toBeVisible()
  await expect(page).toHaveURL('/login')
  await fillLogin(page, email, 'Brass-Swarf-22')
  await expect(page).toHaveURL('/market')
})

test('log out in one tab, and the others follow; log in, and they follow too', { tag: '@wide' }, async ({ page, context }) => {
  const email = await ownAccount(page)
  await page.goto('/my-listings')
  const other = await context.newPage()
  await other.goto('/activity')
  await expect(other.getByRole('button', { name: 'Log out' })).toBeVisible()
  await page.getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL('/')
  await expect(other).toHaveURL('/')
  await expect(other.getByRole('banner').getByRole('link', { name: 'Log in' })).toBeVisible()
  await logIn(page, email, goodPassword)
  await expect(other.getByRole('button', { name: 'Log out' })).toBeVisible()
})

test('who is logged in, answered after a log-out in another tab, is not believed', { tag: '@wide' }, async ({ page, context }) => {
  await ownAccount(page)
  await page.goto('/my-listings')
  const other = await context.newPage()
  await other.goto('/activity')
  await expect(other.getByRole('button', { name: 'Log out' })).toBeVisible()
  const [answered, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await other.route('**/api/v1/auth/me/lite*', async (route) => {
    const answer = await route.fetch()
    answered.resolve()
    await released.promise
    await route.fulfill({ response: answer })
  })
  // as after a log-in in a third tab
  await other.evaluate(() => new BroadcastChannel('session').postMessage('logged_in'))
  await answered.promise
  await page.getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL('/')
  await expect(other.getByRole('banner').getByRole('link', { name: 'Log in' })).toBeVisible()
  // no 401 tells it that the session is over
  await other.route(/\/api\/v1\/(?!auth\/me\/lite)/, () => undefined)
  const received = other.waitForResponse('**/api/v1/auth/me/lite*')
  released.resolve()
  await (await received).finished()
  await other.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)))
  await expect(other.getByRole('banner').getByRole('link', { name: 'Log in' })).toBeVisible()
  expect(await other.evaluate(() => localStorage.getItem('logged_in'))).toBe('false')
})

test('a session that ended elsewhere sends the next call to login and comes back to the page', { tag: '@wide' }, async ({ page }) => {
  // a live stream would tell the page first
  await page.route('**/api/v1/events?**', () => undefined)
  const email = await openProfile(page)
  await endSessions(email)
  // in one go, where the button still is: another call of the page may have been answered first, and leads to login all the same
  await page
    .getByRole('button', { name: 'Save details' })
    .evaluateAll((buttons) => buttons.forEach((button) => (button as HTMLElement).click()))
  await expect(page).toHaveURL(/\/login\?next=/)
  await fillLogin(page, email, goodPassword)
  await expect(page).toHaveURL('/account/view-edit')
})

test(
  'a page whose live stream is refused because the session ended moves to login by itself',
  { tag: '@wide' },
  async ({ page, context }) => {
    const email = await openProfile(page)
    await endSessions(email)
    // a connection that comes back asks for its stream at once
    await context.setOffline(true)
    await context.setOffline(false)
    await expect(page).toHaveURL(/\/login\?next=/)
    await fillLogin(page, email, goodPassword)
    await expect(page).toHaveURL('/account/view-edit')
  },
)

test('a user who has not finished onboarding is taken there from everywhere', { tag: '@phone' }, async ({ page }) => {
  await logIn(page, 'new@yardbid.test')
  await expect(page).toHaveURL('/onboarding')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expectAccessible(page)
  for (const path of ['/', '/register', '/my-listings', '/market', '/stripe/return', '/stripe/reauth', '/account/subscriptions']) {
    await page.goto(path)
    await expect(page, path).toHaveURL('/onboarding')
  }
})

test('login works by keyboard alone', { tag: '@wide' }, async ({ page }) => {
  await page.goto('/login')
  await page.getByLabel('Email').focus()
  await page.keyboard.type('seller@yardbid.test')
  await page.keyboard.press('Tab')
  await page.keyboard.type(demoPassword)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/market')
})

async function logIn(page: Page, email: string, password = demoPassword): Promise<void> {
  await page.goto('/login')
  await fillLogin(page, email, password)
  await page.waitForURL((url) => url.pathname !== '/login')
}
