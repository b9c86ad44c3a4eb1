import { gzipSync } from 'node:zlib'
import { openProfile, ownAccount } from '#tests/browser/support/account.ts'
import { listingOf } from '#tests/browser/support/database.ts'
import { expect, expectAccessible, test } from '#tests/browser/support/visit.ts'

test('the first page loads at most 130 kB of JavaScript, gzip', { tag: '@wide' }, async ({ page }) => {
  const scripts: Promise<Buffer>[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.push(response.body())
  })
  await page.goto('/', { waitUntil: 'networkidle' })
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const bytes = (await Promise.all(scripts)).reduce((sum, script) => sum + gzipSync(script).length, 0)
  expect(bytes).toBeGreaterThan(50_000)
  expect(bytes).toBeLessThanOrEqual(130_000)
})

test('what a page is told to fetch ahead is fetched once, and by the page', { tag: '@wide' }, async ({ page }) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  const unused: string[] = []
  page.on('console', (line) => line.text().includes('preload') && unused.push(line.text()))

  const id = await listingOf('seller@yardbid.test', {})
  for (const path of ['/', '/listings', `/listings/${id}`]) {
    asked.length = 0
    const visit = await page.goto(path, { waitUntil: 'networkidle' })
    const hinted = [...(visit?.headers()['link'] ?? '').matchAll(/<([^>?]+)[^>]*>/g)].map(([, address]) => address as string)
    expect(hinted, path).toContain('/api/v1/auth/me/lite')
    for (const address of hinted)
      expect(
        asked.filter((known) => known === address),
        `${path} ${address}`,
      ).toHaveLength(1)
  }
  expect(unused).toEqual([])
})

test('a navigation that takes longer than 300 ms shows the progress bar, a quick one does not', { tag: '@wide' }, async ({ page }) => {
  await page.goto('/login')
  const bar = page.getByRole('progressbar')
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await expect(page).toHaveURL('/forgot-password')
  await expect(bar).toBeHidden()

  let letGo = () => {}
  const held = new Promise<void>((resolve) => (letGo = resolve))
  await page.route('**/assets/download*.js', async (route) => {
    await held
    await route.continue()
  })
  await page.getByRole('link', { name: 'Get the app' }).click()
  await expect(bar).toBeVisible()
  letGo()
  await expect(page).toHaveURL('/download')
  await expect(bar).toBeHidden()
})

test('an open page notices a new build by the next answer, and Reload loads it', { tag: '@wide' }, async ({ page }) => {
  await openProfile(page)
  const banner = page.getByText('A new version of the web app is available, click on the reload button to update.')
  await expect(banner).toBeHidden()
  // the server was started anew on another build: every answer says so
  await page.route('**/api/v1/auth/me', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, headers: { ...response.headers(), 'x-app-version': 'a-newer-build' } })
  })
  await page.getByRole('button', { name: 'Save details' }).click()
  await expect(banner).toBeVisible()
  await expect(page.getByText('Attention')).toBeVisible()
  await expectAccessible(page)
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  await expect(page.getByRole('button', { name: 'Reload' }), 'however far down one reads').toBeInViewport({ ratio: 1 })
  await page.unroute('**/api/v1/auth/me')
  await page.getByRole('button', { name: 'Reload' }).click()
  await expect(page.getByLabel('First name')).toHaveValue('Jo')
  await expect(banner).toBeHidden()
})

test('a call that gets no answer gives up after 5 seconds, says so and can be tried again', { tag: '@wide' }, async ({ page }) => {
  await openProfile(page)
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.route('**/api/v1/auth/me', () => undefined, { times: 1 })
  await page.getByLabel('Surname').fill('Later')
  const asked = page.waitForRequest('**/api/v1/auth/me')
  await page.getByRole('button', { name: 'Save details' }).click()
  await asked
  await page.clock.runFor(4_900)
  await expect(page.getByText('No answer within 5 seconds.')).toBeHidden()
  await page.clock.runFor(200)
  await expect(page.getByText('No answer within 5 seconds.')).toBeVisible()
  await expect(page.getByLabel('Surname')).toHaveValue('Later')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Profile updated.')).toBeVisible()
})

test('a lost connection is said, nothing typed is lost, and it works when it is back', { tag: '@phone' }, async ({ page, context }) => {
  await openProfile(page)
  await page.getByLabel('Surname').fill('Offline')
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Save details' }).click()
  await expect(page.getByText('Yardbid cannot be reached.')).toBeVisible()
  await expect(page.getByLabel('Surname')).toHaveValue('Offline')
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Profile updated.')).toBeVisible()
})

test('notification cards come newest first and can be dismissed', { tag: '@wide' }, async ({ page }) => {
  await openProfile(page)
  // good news goes by itself after a while: not while the clock stands still
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.getByRole('button', { name: 'Save details' }).click()
  await expect(page.getByText('Profile updated.')).toBeVisible()
  await page.getByRole('button', { name: 'Save address' }).click()
  await expect(page.getByText('Address updated.')).toBeVisible()
  const dismissals = page.getByRole('button', { name: /^Dismiss/ })
  await expect(dismissals.first()).toHaveAccessibleName('Dismiss: Address updated.')
  await dismissals.first().click()
  await expect(page.getByText('Address updated.')).toBeHidden()
  await expect(page.getByText('Profile updated.')).toBeVisible()
})

test('any other error is a card titled Error with the server’s words', { tag: '@wide' }, async ({ page }) => {
  await openProfile(page)
  await page.route('**/api/v1/auth/me', (route) =>
    route.fulfill({ status: 409, json: { message: 'Somebody else was quicker.', code: 'conflict' } }),
  )
  await page.getByRole('button', { name: 'Save details' }).click()
  await expect(page.getByText('Error', { exact: true })).toBeVisible()
  await expect(page.getByText('Somebody else was quicker.')).toBeVisible()
})

test('error cards: equal ones are joined, and no more than three stand there', { tag: '@phone' }, async ({ page }) => {
  await openProfile(page)
  let message = 'Somebody else was quicker.'
  await page.route('**/api/v1/auth/me', (route) => route.fulfill({ status: 409, json: { message, code: 'conflict' } }))
  const save = page.getByRole('form', { name: 'Your details' }).getByRole('button', { name: 'Save details' })
  const cards = page.getByRole('region', { name: 'Notices' }).getByRole('button', { name: /^Dismiss/ })
  const fail = async () => {
    const answer = page.waitForResponse('**/api/v1/auth/me')
    await save.evaluate((button: HTMLButtonElement) => button.click())
    await answer
    await expect(page.getByText(message)).toBeVisible()
    await expect(save).toBeEnabled()
  }
  for (const _time of [1, 2, 3]) await fail()
  await expect(cards).toHaveCount(1)
  await expect(page.getByText('3 times')).toBeVisible()
  for (message of ['Second.', 'Third.', 'Fourth.']) await fail()
  await expect(cards).toHaveCount(3)
  await expect(page.getByText('Somebody else was quicker.'), 'the oldest gives way').toBeHidden()
})

test('a page that waits to know its user shows the frame, without Log in and Sign up', { tag: '@wide' }, async ({ page }) => {
  await ownAccount(page)
  await page.goto('/my-listings')
  await expect(page.getByRole('heading', { level: 1, name: 'My listings' })).toBeVisible()
  const held = Promise.withResolvers<void>()
  await page.route('**/api/v1/auth/me/lite*', async (route) => {
    await held.promise
    await route.continue()
  })
  await page.reload()
  await expect(page.getByRole('link', { name: 'Yardbid home' })).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await expect(page.getByRole('banner').getByRole('link', { name: 'Log in' })).toHaveCount(0)
  await expect(page.getByText('Loading the page…')).toBeAttached()
  held.resolve()
  await expect(page.getByRole('heading', { level: 1, name: 'My listings' })).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Main' })).toHaveCount(1)
})

test('the footer names the address of our support', { tag: '@wide' }, async ({ page }) => {
  await page.goto('/login')
  await expect(page.getByRole('contentinfo').getByRole('link', { name: 'Contact us' })).toHaveAttribute(
    'href',
    'mailto:support@yardbid.test',
  )
})

test('the theme is chosen, kept across a reload, and set before the page is drawn', { tag: '@wide' }, async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto('/')
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const light = await background()
  await page.getByRole('radio', { name: /dark/i }).check()
  await expect.poll(background).not.toBe(light)
  const dark = await background()
  await page.reload()
  expect(await background()).toBe(dark)
  await page.getByRole('radio', { name: /light/i }).check()
  await expect.poll(background).toBe(light)
})

test('number fields take numbers alone and round on leaving', { tag: '@wide' }, async ({ page }) => {
  await ownAccount(page)
  await page.goto('/')
  const weight = page.getByLabel('Weight')
  await weight.pressSequentially('1a2e.-3456')
  await expect(weight).toHaveValue(/^12\.?3?4?5?6?$/)
  await weight.fill('12.34567')
  await weight.blur()
  await expect(weight).toHaveValue(/^12\.\d{1,3}$/)
})
