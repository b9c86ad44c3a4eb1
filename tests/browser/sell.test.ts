import type { Page } from '@playwright/test'
import { expect, expectAccessible, ownAccount, suggestions, test } from '#tests/browser/support/visit.ts'
import { mp4, png } from '#tests/support/made-files.ts'

const photoNamed = async (name: string) => ({ name, mimeType: 'image/png', buffer: await png(640, 480) })
const photos = (count: number) => Promise.all(Array.from({ length: count }, (_, nth) => photoNamed(`load-${nth + 1}.png`)))

const picker = (page: Page) => page.getByLabel('Add photos or videos')
const tiles = (page: Page) => page.getByRole('list', { name: 'Photos and videos' }).getByRole('listitem')
const send = (page: Page) => page.getByRole('button', { name: 'List it' }).click()
const row = (page: Page, title: string) => page.getByRole('article').filter({ hasText: title })

async function addPhotos(page: Page, count: number): Promise<void> {
  await picker(page).setInputFiles(await photos(count))
  await expect(tiles(page)).toHaveCount(count)
  await expect(page.getByRole('progressbar')).toHaveCount(0)
}

async function fillForm(page: Page, title: string): Promise<void> {
  await page.goto('/my-listings/new')
  await addPhotos(page, 1)
  await page.getByLabel('Title').fill(title)
  await page.getByLabel('Material').selectOption({ label: 'Bright' })
  await page.getByLabel('Description').fill('Clean, dry, in bags.')
  await page.getByLabel('Weight').fill('1240')
  await page.getByLabel('Start price').fill('6000.1')
}

async function listGoods(page: Page, title: string): Promise<void> {
  await fillForm(page, title)
  await send(page)
  await expect(page).toHaveURL('/my-listings')
  await expect(row(page, title).getByText('Active', { exact: true })).toBeVisible({ timeout: 15_000 })
}

test('a seller lists goods with photos, sees them become Active, and finds them where buyers do', async ({ page }, { project }) => {
  await ownAccount(page)
  await page.goto('/my-listings')
  await expect(page.getByText('You have no listings')).toBeVisible()
  if (project.name === 'phone') await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Sell' }).click()
  else await page.getByRole('link', { name: 'List goods' }).click()
  await expect(page).toHaveURL('/my-listings/new')

  await fillForm(page, 'Bright copper wire')
  await expect(page.getByText('12 Foundry Lane, Manchester, M1 4BT')).toBeVisible()
  await page.getByLabel('Grade').fill('A1')
  await page.getByRole('radio', { name: '14' }).check()
  await page.getByRole('radio', { name: 'Delivery' }).check()
  const preview = page.getByRole('group', { name: 'What buyers see' })
  await expect(preview).toContainText('Bright copper wire')
  await expect(preview).toContainText('£6,000.10 / t')
  await expectAccessible(page)
  await send(page)

  await expect(page).toHaveURL('/my-listings')
  await expect(page.getByText('Listed', { exact: true })).toBeVisible()
  const listed = row(page, 'Bright copper wire')
  await expect(listed.getByText('Active', { exact: true })).toBeVisible({ timeout: 15_000 })
  await expect(listed).toContainText('£6,000.10 / t')
  await expect(listed).toContainText('No bids yet')
  await expect(listed).toContainText('13d 23h')
  expect(await listed.locator('img').evaluate((photo: HTMLImageElement) => photo.decode().then(() => photo.naturalWidth))).toBeGreaterThan(
    0,
  )
  await expectAccessible(page)

  await listed.getByRole('link').click()
  await expect(page).toHaveURL(/\/listings\/[\w-]+$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Bright copper wire')

  await page.goto('/my-listings/new')
  await expect(page.getByLabel('Title'), 'the draft is gone').toHaveValue('')
  await expect(tiles(page)).toHaveCount(0)
})

test('an empty form says under each field what is missing, and goes to the first', async ({ page }) => {
  await ownAccount(page)
  await page.goto('/my-listings/new')
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

test('more files than ten are refused, those that are there counted in', async ({ page }) => {
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

test('files go three at a time, each with its progress', async ({ page }) => {
  await ownAccount(page)
  await page.goto('/my-listings/new')
  let underWay = 0
  let most = 0
  await page.route(
    (url) => !url.pathname.startsWith('/api/'),
    async (route) => {
      if (route.request().method() !== 'PUT') return route.fallback()
      most = Math.max(most, ++underWay)
      await new Promise((goOn) => setTimeout(goOn, 300))
      underWay--
      return route.continue()
    },
  )
  await picker(page).setInputFiles(await photos(7))
  await expect(page.getByRole('progressbar', { name: 'Uploading load-7.png' })).toBeVisible()
  await expect(page.getByRole('progressbar')).toHaveCount(0, { timeout: 15_000 })
  await expect(tiles(page)).toHaveCount(7)
  expect(most).toBe(3)
})

test('what the server refuses stands under its field, and nothing is lost after a reload', async ({ page }) => {
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

test('goods at another address are listed there', async ({ page }) => {
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

test('a file that fails is dropped, its upload removed; a lost connection can be tried again', async ({ page }) => {
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

test('a seller withdraws a listing after a question; one that cannot be withdrawn says why', async ({ page }) => {
  await ownAccount(page)
  await listGoods(page, 'Lead sheet')
  const withdraw = page.getByRole('button', { name: 'Withdraw Lead sheet' })
  const dialog = page.getByRole('alertdialog', { name: 'Are you sure?' })
  await withdraw.click()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toBeHidden()

  await page.route(
    '**/api/v1/listings/*',
    (route) =>
      route.fulfill({ status: 409, json: { message: 'The reservation price is met: it can no longer be withdrawn.', code: 'conflict' } }),
    { times: 1 },
  )
  await withdraw.click()
  await dialog.getByRole('button', { name: 'Withdraw' }).click()
  await expect(page.getByText('The reservation price is met: it can no longer be withdrawn.')).toBeVisible()

  await withdraw.click()
  await dialog.getByRole('button', { name: 'Withdraw' }).click()
  await expect(row(page, 'Lead sheet').getByText('Expired', { exact: true })).toBeVisible()
  await expect(withdraw).toBeHidden()
})

test('own listings that do not load say so and can be tried again', async ({ page }) => {
  await ownAccount(page)
  await page.route('**/api/v1/my-listings*', (route) => route.fulfill({ status: 503, json: { message: 'Back soon.', code: 'x' } }), {
    times: 1,
  })
  await page.goto('/my-listings')
  await expect(page.getByText('Back soon.')).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('You have no listings')).toBeVisible()
})
