import type { Page } from '@playwright/test'
import { API_TIMEOUT_MS } from '#contract/values/limits.ts'
import { addPhotos, fillForm, listGoods, photoNamed, photos, picker, row, send, tiles } from '#tests/browser/support/selling.ts'
import { ownAccount } from '#tests/browser/support/account.ts'
import { answerLate } from '#tests/browser/support/late-answer.ts'
import { listingOf } from '#tests/browser/support/database.ts'
import { expect, expectAccessible, suggestions, test } from '#tests/browser/support/visit.ts'
import { mp4 } from '#tests/support/files/made-files.ts'

test('a seller lists goods with photos, sees them become Active, and finds them where buyers do', async ({ page }, { project }) => {
  await ownAccount(page)
  await page.goto('/my-listings')
  await expect(page.getByText('You have no listings')).toBeVisible()
  if (project.name === 'phone') await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Sell' }).click()
  else await page.getByRole('link', { name: 'List goods' }).click()
  await expect(page).toHaveURL('/my-listings/new')

  await fillForm(page, 'Bright copper wire')
  await expect(page.getByText('12 Foundry Lane, Manchester, M1 4BT')).toBeVisible()
  await page.getByText('Grade, condition, EWC code 17 04 01').click()
  await page.getByLabel('Grade').fill('A1')
  await expect(page.getByLabel('EWC code')).toHaveValue('17 04 01')
  await page.getByRole('radio', { name: '14' }).check()
  await page.getByRole('radio', { name: 'Delivery' }).check()
  if (project.name === 'phone') await page.getByRole('button', { name: 'Preview' }).click()
  const preview = page.getByRole('group', { name: 'What buyers see' })
  await expect(preview).toContainText('Bright copper wire')
  await expect(preview).toContainText('£6,000.10 / t')
  // 1.24 t at £6,000.10 with VAT at 20%
  await expect(preview).toContainText('£8,928.14')
  await expectAccessible(page)
  if (project.name === 'phone') await page.getByRole('button', { name: 'Back to the form' }).click()
  await send(page)

  await expect(page).toHaveURL('/my-listings')
  await expect(page.getByText('Listed', { exact: true })).toBeVisible()
  const listed = row(page, 'Bright copper wire')
  await expect(listed.getByText('Active', { exact: true })).toBeVisible()
  await expect(listed).toContainText('£6,000.10 / t')
  await expect(listed).toContainText('No bids yet')
  await expect(listed).toContainText('13d 23h')
  expect(await listed.locator('img').evaluate((photo: HTMLImageElement) => photo.decode().then(() => photo.naturalWidth))).toBeGreaterThan(
    0,
  )
  await expectAccessible(page)

  await listed.getByRole('link').click()
  await expect(page).toHaveURL(/\/my-listings\/[\w-]+$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Bright copper wire')

  await page.goto('/my-listings/new')
  await expect(page.getByLabel('Title'), 'the draft is gone').toHaveValue('')
  await expect(tiles(page)).toHaveCount(0)
})

test('a listing that is answered too late is asked for again, and listed once', { tag: '@wide' }, async ({ page }) => {
  await ownAccount(page)
  await fillForm(page, 'Lost and found')
  const { passTimeLimit, expectNoError } = await answerLate(page, '**/api/v1/listings')
  await send(page)
  await passTimeLimit()
  await expect(page).toHaveURL('/my-listings')
  await expect(row(page, 'Lost and found')).toHaveCount(1)
  await expectNoError()
})

test('a listing whose connection is lost is sent again by itself, and listed once', { tag: '@phone' }, async ({ page }) => {
  await ownAccount(page)
  await fillForm(page, 'Lost on the line')
  await page.route(
    '**/api/v1/listings',
    async (route) => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )
  await send(page)
  await expect(page).toHaveURL('/my-listings')
  await expect(row(page, 'Lost on the line')).toHaveCount(1)
})

test('a photo whose check takes longer than a call may is asked for again, and not lost', { tag: '@wide' }, async ({ page }) => {
  await ownAccount(page)
  await page.clock.install()
  await page.goto('/my-listings/new')
  let asked = 0
  await page.route('**/complete', (route) => (asked++ === 0 ? undefined : route.continue()))
  await picker(page).setInputFiles(await photoNamed('slow.png'))
  await expect(tiles(page)).toHaveCount(1)
  await expect.poll(() => asked).toBe(1)
  await page.clock.fastForward(API_TIMEOUT_MS)
  await expect(page.getByRole('progressbar')).toHaveCount(0)
  expect(asked).toBe(2)
  await expect(tiles(page).getByRole('img', { name: 'slow.png' })).toBeVisible()
  await expect(page.getByText('was not uploaded')).toHaveCount(0)
})

test('an empty form says under each field what is missing, and goes to the first', { tag: '@wide' }, async ({ page }) => {
  await ownAccount(page)
  await page.goto('/my-listings/new')
  await page.getByRole('radio', { name: 'By the tonne' }).check()
  await send(page)
  await expect(picker(page)).toHaveAccessibleDescription(/Add at least one photo/)
  await expect(picker(page)).toBeFocused()
  await expect(page.getByLabel('Title')).toHaveAccessibleDescription(/Title is required/)
  await expect(page.getByLabel('Material')).toHaveAccessibleDescription(/Choose a material/)
  await expect(page.getByLabel('Weight')).toHaveAccessibleDescription(/A price by the tonne needs a weight/)
  await page.getByRole('radio', { name: 'For the lot' }).check()
  await send(page)
  await expect(page.getByLabel('Weight')).not.toHaveAttribute('aria-invalid')
  await expectAccessible(page)
})

test('more files than ten are refused, those that are there counted in', { tag: '@wide' }, async ({ page }) => {
  await ownAccount(page)
  await page.goto('/my-listings/new')
  const refusal = page.getByText('File upload needs at least one and up to 10 files')
  await picker(page).setInputFiles(await photos(11))
  await expect(refusal).toBeVisible()
  await expect(tiles(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'Dismiss: Error' }).click()

  await addPhotos(page, 10)
  await expect(tiles(page).locator('img').first()).toHaveAttribute('alt', 'load-1.png')
  await expect(tiles(page).locator('img').last()).toHaveAttribute('alt', 'load-10.png')
  await picker(page).setInputFiles(await photos(1))
  await expect(refusal).toBeVisible()
  await page.getByRole('button', { name: 'Remove load-3.png' }).click()
  await expect(tiles(page)).toHaveCount(9)
})

test('files go three at a time, each with its progress', { tag: '@wide' }, async ({ page }) => {
  await ownAccount(page)
  await page.goto('/my-listings/new')
  const held: (() => void)[] = []
  let most = 0
  await page.route(
    (url) => !url.pathname.startsWith('/api/'),
    async (route) => {
      if (route.request().method() !== 'PUT') return route.fallback()
      const gate = Promise.withResolvers<void>()
      most = Math.max(most, held.push(gate.resolve))
      await gate.promise
      return route.continue()
    },
  )
  await picker(page).setInputFiles(await photos(7))
  await expect(page.getByRole('progressbar', { name: 'Uploading load-7.png' })).toBeVisible()
  for (const left of [7, 6, 5, 4, 3, 2, 1]) {
    await expect.poll(() => held.length, `${left} are left`).toBe(Math.min(3, left))
    held.shift()?.()
    await expect(page.getByRole('progressbar')).toHaveCount(left - 1)
  }
  await expect(tiles(page)).toHaveCount(7)
  expect(most).toBe(3)
})

test('what the server refuses stands under its field, and nothing is lost after a reload', { tag: '@wide' }, async ({ page }) => {
  await ownAccount(page)
  await fillForm(page, 'Cast aluminium')
  await page.getByLabel('Reservation price').fill('5999.99')
  await page.getByLabel('Use my default address').uncheck()
  await page.getByLabel('Use my default address').check()
  await send(page)
  const reservation = page.getByLabel('Reservation price')
  await expect(reservation).toHaveAccessibleDescription(/The reservation price is below the start price/)
  await expect(reservation).toBeFocused()

  await page.reload()
  await expect(page.getByLabel('Title')).toHaveValue('Cast aluminium')
  await expect(page.getByLabel('Start price')).toHaveValue('6000.10')
  await expect(page.getByLabel('Weight')).toHaveValue('1240')
  await expect(tiles(page)).toHaveCount(1)
  await reservation.fill('7000')
  await send(page)
  await expect(page).toHaveURL('/my-listings')
})

test(
  'a seller chooses the day and hour of the end, and catalytic converters say where they come from',
  { tag: '@phone' },
  async ({ page }) => {
    await ownAccount(page)
    await fillForm(page, 'Converters in crates')
    await page.getByLabel('Material').selectOption({ label: 'Catalytic converters' })
    await page.getByLabel('Weighbridge ticket').setInputFiles(await photoNamed('ticket.png'))
    await page.getByRole('radio', { name: 'Date' }).check()
    const end = page.getByLabel('Ends')
    await end.fill(await minuteIn(page, 20))
    await send(page)
    await expect(end).toHaveAccessibleDescription(/At most 14 days from now/)
    await expect(page.getByLabel('Serial numbers')).toHaveAccessibleDescription(/Give the serial numbers/)
    await page.getByLabel('Serial numbers').fill('KA6014\nKA6015')
    await page.getByLabel('Where they come from').fill('Aston Dismantlers')
    const chosen = await minuteIn(page, 4)
    await end.fill(chosen)
    await expect(page.getByRole('button', { name: 'Remove ticket.png' })).toBeVisible()
    // to the end, where the bar with the buttons covers nothing
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    await expectAccessible(page)

    await page.reload()
    await expect(end).toHaveValue(chosen)
    await expect(page.getByRole('button', { name: 'Remove ticket.png' })).toBeVisible()
    await send(page)
    await expect(page).toHaveURL('/my-listings')
    await expect(row(page, 'Converters in crates')).toContainText('3d 23h')
    await row(page, 'Converters in crates').getByRole('link').click()
    await expect(page.getByText('Aston Dismantlers')).toBeVisible()
  },
)

/** As the field holds it, by the clock that the page sees. */
const minuteIn = (page: Page, days: number): Promise<string> =>
  page.evaluate((ahead) => {
    // with the offset of that day: the clocks may change before it
    const at = new Date(Date.now() + ahead * 86_400_000)
    return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
  }, days)

test('goods at another address are listed there', { tag: '@phone' }, async ({ page }) => {
  await ownAccount(page)
  await fillForm(page, 'Radiators')
  await page.getByLabel('Use my default address').uncheck()
  await send(page)
  const address = page.getByRole('combobox', { name: 'Where the goods are' })
  await expect(address).toHaveAccessibleDescription(/Address is required/)
  await address.fill('S9 3TY')
  await suggestions(page).first().click()
  await expect(page.getByText('Address found')).toBeVisible()
  await send(page)
  await expect(page).toHaveURL('/my-listings')
  await row(page, 'Radiators').getByRole('link').click()
  await expect(page.getByText(/S9/).first()).toBeVisible()
})

test('a file that fails is dropped, its upload removed; a lost connection can be tried again', { tag: '@wide' }, async ({ page }) => {
  await ownAccount(page)
  await page.goto('/my-listings/new')
  const removed = page.waitForRequest((request) => request.method() === 'DELETE' && request.url().includes('/storage-object/'))
  await picker(page).setInputFiles({ name: 'page.png', mimeType: 'image/png', buffer: Buffer.from('<html>not a photo</html>') })
  await expect(page.getByText('page.png was not uploaded')).toBeVisible()
  await expect(tiles(page)).toHaveCount(0)
  await removed

  let isLost = true
  await page.route(
    (url) => !url.pathname.startsWith('/api/'),
    (route) => (route.request().method() === 'PUT' && isLost ? route.abort() : route.fallback()),
  )
  await picker(page).setInputFiles(await photoNamed('lost.png'))
  await expect(page.getByText('lost.png was not uploaded')).toBeVisible()
  isLost = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(tiles(page)).toHaveCount(1)
  await expect(page.getByRole('progressbar')).toHaveCount(0)
  await expect(tiles(page).getByRole('img', { name: 'lost.png' })).toBeVisible()

  await picker(page).setInputFiles({ name: 'yard.mp4', mimeType: 'video/mp4', buffer: mp4() })
  await expect(tiles(page).getByRole('img', { name: 'yard.mp4' })).toBeVisible()
  await expect(page.getByRole('progressbar')).toHaveCount(0)
  await expect(tiles(page)).toHaveCount(2)
})

test('a seller withdraws a listing after a question; one that cannot be withdrawn says why', { tag: '@phone' }, async ({ page }) => {
  await ownAccount(page)
  await listGoods(page, 'Lead sheet')
  const withdraw = page.getByRole('button', { name: 'Withdraw Lead sheet' })
  const dialog = page.getByRole('alertdialog', { name: 'Are you sure?' })
  await withdraw.click()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toBeHidden()

  let refused = 0
  await page.route('**/api/v1/listings/*', (route) =>
    route.request().method() === 'DELETE' && refused++ === 0
      ? route.fulfill({ status: 409, json: { message: 'The reservation price is met: it can no longer be withdrawn.', code: 'conflict' } })
      : route.fallback(),
  )
  await withdraw.click()
  await dialog.getByRole('button', { name: 'Withdraw' }).click()
  await expect(page.getByText('The reservation price is met: it can no longer be withdrawn.')).toBeVisible()

  await withdraw.click()
  await dialog.getByRole('button', { name: 'Withdraw' }).click()
  await expect(row(page, 'Lead sheet').getByText('Expired', { exact: true })).toBeVisible()
  await expect(withdraw).toBeHidden()
})

test('own listings that do not load say so and can be tried again', { tag: '@wide' }, async ({ page }) => {
  await ownAccount(page)
  await page.route('**/api/v1/my-listings*', (route) => route.fulfill({ status: 503, json: { message: 'Back soon.', code: 'x' } }), {
    times: 1,
  })
  await page.goto('/my-listings')
  await expect(page.getByText('Back soon.')).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('You have no listings')).toBeVisible()
})

test('photos are put in order, by keyboard too: the first is the cover, and the order is kept', async ({ page }) => {
  await ownAccount(page)
  await fillForm(page, 'Sorted brass')
  await tiles(page).first().getByRole('button', { name: 'Remove' }).click()
  await addPhotos(page, 3)
  const order = () =>
    tiles(page)
      .locator('img')
      .evaluateAll((shown) => shown.map((photo) => photo.getAttribute('alt')))
  const names = (...figures: number[]) => figures.map((figure) => `load-${figure}.png`)
  const started = await order()
  expect(new Set(started)).toEqual(new Set(names(1, 2, 3)))
  const [, second = '', third = ''] = started as string[]
  await expect(tiles(page).first()).toContainText('Cover')

  const earlier = page.getByRole('button', { name: `Move ${third} earlier` })
  const { width, height } = (await earlier.boundingBox()) ?? { width: 0, height: 0 }
  expect(Math.min(width, height)).toBeGreaterThanOrEqual(44)
  await earlier.press('Enter')
  await expect(earlier, 'the focus goes with it').toBeFocused()
  await earlier.press('Enter')
  await expect.poll(order).toEqual([third, started[0], second])
  await expect(earlier).toBeFocused()
  await expect(earlier).toHaveAttribute('aria-disabled', 'true')
  await page.getByRole('button', { name: `Move ${started[0]} later` }).click()
  const chosen = [third, second, started[0]]
  await expect.poll(order).toEqual(chosen)
  await expect(tiles(page).first()).toContainText('Cover')
  await expectAccessible(page)

  await page.reload()
  await expect(tiles(page)).toHaveCount(3)
  await expect.poll(order, 'after a reload').toEqual(chosen)
  await send(page)
  await expect(page).toHaveURL('/my-listings')
  await row(page, 'Sorted brass').getByRole('link').click()
  await page.getByRole('link', { name: 'Edit' }).click()
  await expect(tiles(page)).toHaveCount(3)
  await expect.poll(order, 'as the server keeps it').toEqual(chosen)
})

test.describe('in another time zone', () => {
  test.use({ timezoneId: 'America/New_York' })

  test('the end of a listing is read and chosen by London’s clock', { tag: '@wide' }, async ({ page }) => {
    const email = await ownAccount(page)
    const end = new Date(Math.floor(Date.now() / 60_000) * 60_000 + 3 * 86_400_000)
    const id = await listingOf(email, { expires_at: end, first_expires_at: end })
    await page.goto(`/my-listings/${id}/edit`)
    await expect(page.getByLabel('Ends')).toHaveValue(inLondonClock(end))
    await expect(page.getByText(/London time/)).toBeVisible()

    await fillForm(page, 'Turnings by the bin')
    await page.getByRole('radio', { name: 'Date' }).check()
    await page.getByLabel('Ends').fill(inLondonClock(end))
    const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/api/v1/listings'))
    await send(page)
    expect(((await sent).postDataJSON() as { expires_at: string }).expires_at).toBe(end.toISOString())
  })
})

const inLondonClock = (at: Date) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/London', dateStyle: 'short', timeStyle: 'short' }).format(at).replace(' ', 'T')
