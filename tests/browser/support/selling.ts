import type { Page } from '@playwright/test'
import { expect } from '#tests/browser/support/visit.ts'
import { png } from '#tests/support/files/made-files.ts'

// The form to sell with, as a seller fills it in.

export const photoNamed = async (name: string) => ({ name, mimeType: 'image/png', buffer: await png(640, 480) })
export const photos = (count: number) => Promise.all(Array.from({ length: count }, (_, nth) => photoNamed(`load-${nth + 1}.png`)))

export const picker = (page: Page) => page.getByLabel('Add photos or videos')
export const tiles = (page: Page) => page.getByRole('list', { name: 'Photos and videos' }).getByRole('listitem')
export const send = (page: Page) => page.getByRole('button', { name: 'List it' }).click()
export const row = (page: Page, title: string) => page.getByRole('article').filter({ hasText: title })

export async function addPhotos(page: Page, count: number): Promise<void> {
  await picker(page).setInputFiles(await photos(count))
  await expect(tiles(page)).toHaveCount(count)
  await expect(page.getByRole('progressbar')).toHaveCount(0)
}

export async function fillForm(page: Page, title: string): Promise<void> {
  await page.goto('/my-listings/new')
  await addPhotos(page, 1)
  await page.getByLabel('Title').fill(title)
  await page.getByLabel('Material').selectOption({ label: 'Bright' })
  await page.getByLabel('Description').fill('Clean, dry, in bags.')
  await page.getByRole('radio', { name: 'By the tonne' }).check()
  await page.getByLabel('Weight').fill('1240')
  await page.getByLabel('Start price').fill('6000.1')
}

export async function listGoods(page: Page, title: string): Promise<void> {
  await fillForm(page, title)
  await send(page)
  await expect(page).toHaveURL('/my-listings')
  await expect(row(page, title).getByText('Active', { exact: true })).toBeVisible()
}
