import type { Page } from '@playwright/test'
import { places, type Place } from '#contract/places.ts'
import { settle } from '#domain/navigation.ts'
import { expect, expectAccessible, logIn, test } from '#tests/browser/support/visit.ts'

const everywhere = Object.keys(places) as Place[]
const visitors = everywhere.filter((place) => settle(place, null) === place)
const member = {
  onboarded: true,
  is_using_temporary_password: false,
  permissions: { market_view_enquiry: { enabled: true } },
  deletion: null,
}
const members = everywhere.filter((place) => places[place].auth && settle(place, member) === place)

test.describe('a visitor', () => {
  for (const place of visitors) {
    test(`${place}: a title, one heading, no sideways scrolling, nothing for axe to find`, async ({ page }) => {
      await page.goto(places[place].path)
      await isSound(page)
    })
  }

  for (const place of everywhere.filter((name) => places[name].auth)) {
    test(`${place} asks a visitor to log in`, async ({ page }) => {
      await page.goto(places[place].path)
      await expect(page).toHaveURL(/\/login/)
    })
  }

  test('a page that does not exist says so, with the status 404', async ({ page }) => {
    const response = await page.goto('/no/such/page')
    expect(response?.status()).toBe(404)
    await expect(page.getByRole('link', { name: /dashboard/i }).first()).toBeVisible()
    await isSound(page)
  })
})

test('a member’s pages: a title, one heading, no sideways scrolling, nothing for axe to find', async ({ page }) => {
  test.slow()
  await logIn(page, 'seller@yardbid.test')
  for (const place of ['dashboard', ...members] as Place[]) {
    await page.goto(places[place].path)
    await isSound(page)
  }
})

test('the market tells a trade what it is and how to get in', async ({ page }) => {
  await logIn(page, 'trade@yardbid.test')
  await page.goto('/market')
  await isSound(page)
  await expect(page.getByText(/full/i).first()).toBeVisible()
})

test('the skip link leads past the navigation, and a navigation moves the focus to the page', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeFocused()
  await page.getByRole('banner').getByRole('link', { name: 'Log in' }).click()
  await expect(page).toHaveURL('/login')
  await expect(page.locator(':focus')).toHaveText(/Log in/)
})

test('every target is at least 44 pixels high on a phone', async ({ page }, { project }) => {
  if (project.name !== 'phone') await page.setViewportSize({ width: 360, height: 740 })
  for (const path of ['/', '/login', '/register', '/preregistration', '/download']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    const small = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('a, button, select, input:not([type=hidden])')].flatMap((element) => {
        const { height, width } = (element.closest('label') ?? element).getBoundingClientRect()
        const isInText = element.matches('a') && element.parentElement?.matches('p, li, span, label')
        return height > 0 && width > 0 && height < 43.5 && !isInText ? [`${element.outerHTML.slice(0, 80)} is ${height} high`] : []
      }),
    )
    expect(small, path).toEqual([])
  }
})

async function isSound(page: Page) {
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
  await expect(page).toHaveTitle(/.+ · Yardbid|Yardbid/)
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(overflow).toBeLessThanOrEqual(0)
  await expectAccessible(page)
}
