import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { ownAccount } from '#tests/browser/support/account.ts'
import { expect, expectAccessible, test } from '#tests/browser/support/visit.ts'
import { mp4 } from '#tests/support/files/made-files.ts'

const tiles = (page: Page) => page.getByRole('list', { name: 'Photos and videos' }).getByRole('listitem')

// 160 × 120, blue at first, copper after 0.7 s; AV1, which every Chromium decodes
const clip = await readFile(new URL('../../support/files/yard.mp4', import.meta.url))

async function pick(page: Page, buffer: Buffer): Promise<void> {
  await page.goto('/my-listings/new')
  await page.getByLabel('Add photos or videos').setInputFiles({ name: 'yard.mp4', mimeType: 'video/mp4', buffer })
  await expect(tiles(page).getByRole('img', { name: 'yard.mp4' })).toBeVisible()
  await expect(page.getByRole('progressbar')).toHaveCount(0)
}

/** The address of the picture in the tile, its size, and the colour in its middle. */
const pictureIn = (page: Page) =>
  tiles(page)
    .getByRole('img', { name: 'yard.mp4' })
    .evaluate(async (image: HTMLImageElement) => {
      await image.decode()
      const canvas = document.createElement('canvas')
      const drawing = canvas.getContext('2d')
      drawing?.drawImage(image, 0, 0, 9, 9)
      return { path: new URL(image.src).pathname, width: image.naturalWidth, pixel: [...(drawing?.getImageData(4, 4, 1, 1).data ?? [])] }
    })

test(
  'a video is shown by its frame at one second, at 0.7 of its size, and plays on the page of its listing',
  { tag: '@phone' },
  async ({ page }) => {
    await ownAccount(page)
    await pick(page, clip)
    const { path, width, pixel } = await pictureIn(page)
    expect(path).toMatch(/^\/files\/[\w-]+\/320\.webp$/)
    expect(width).toBe(Math.round(160 * 0.7))
    const [red = 0, , blue = 255] = pixel
    expect(red - blue, 'copper, not the blue of the beginning').toBeGreaterThan(60)
    await expectAccessible(page)

    await page.getByLabel('Title').fill('Yard walk-round')
    await page.getByLabel('Material').selectOption({ label: 'Bright' })
    await page.getByLabel('Description').fill('See the film.')
    await page.getByLabel('Weight').fill('1240')
    await page.getByLabel('Start price').fill('6000')
    await page.getByRole('button', { name: 'List it' }).click()
    await page.getByRole('article').filter({ hasText: 'Yard walk-round' }).getByRole('link').click()
    const video = page.getByLabel('Video, 1 of 1')
    await expect(video).toHaveAttribute('poster', /\/poster\.jpg$/)
    await video.evaluate((element: HTMLVideoElement) => element.play())
    await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime)).toBeGreaterThan(0)
    await expectAccessible(page)
  },
)

test('a video that this browser cannot decode is kept, under the stock poster', { tag: '@wide' }, async ({ page }) => {
  await ownAccount(page)
  await pick(page, mp4())
  const { path, width } = await pictureIn(page)
  expect(path).toBe('/video-poster.svg')
  expect(width).toBeGreaterThan(0)
  await expect(page.getByText('was not uploaded')).toHaveCount(0)
})
