import type { Page } from '@playwright/test'
import { places, type Place } from '#contract/values/places.ts'
import { settle } from '#domain/navigation.ts'
import { logIn } from '#tests/browser/support/session.ts'
import { expect, expectAccessible, expectLoaded, test } from '#tests/browser/support/visit.ts'

const everywhere = Object.keys(places) as Place[]
const visitors = everywhere.filter((place) => settle(place, null) === place)
const member = {
  onboarded: true,
  is_using_temporary_password: false,
  permissions: { market_view_enquiry: { enabled: true } },
  deletion: null,
}
const forMembers = everywhere.filter((place) => places[place].auth && settle(place, member) === place)
const staff = forMembers.filter((place) => place.startsWith('admin'))
const members = forMembers.filter((place) => !staff.includes(place))

// one browser for all of them: the first page of a new one takes three times as long as the next
test.describe('a visitor', () => {
  test('every page: a title, one heading, no sideways scrolling, nothing for axe to find', async ({ page }) => {
    test.slow()
    for (const place of visitors)
      await test.step(place, async () => {
        await page.goto(places[place].path)
        if (place === 'dashboard') await scrollDown(page)
        await isSound(page)
      })
  })

  test('every page that is a member’s asks a visitor to log in', { tag: '@wide' }, async ({ page }) => {
    for (const { path, auth } of Object.values(places)) {
      if (!auth) continue
      await page.goto(path)
      await expect(page, path).toHaveURL(/\/login/)
    }
  })

  test('a page that does not exist says so, with the status 404', async ({ page }) => {
    const response = await page.goto('/no/such/page')
    expect(response?.status()).toBe(404)
    await expect(page.getByRole('link', { name: /dashboard/i }).first()).toBeVisible()
    await isSound(page)
  })
})

test.describe('a member', () => {
  test('every page: a title, one heading, no sideways scrolling, nothing for axe to find', async ({ page }) => {
    test.slow()
    await logIn(page, 'seller@yardbid.test')
    for (const place of ['dashboard', ...members] as Place[])
      await test.step(place, async () => {
        await page.goto(places[place].path)
        await isSound(page)
      })
  })
})

test.describe('an admin', () => {
  test('every page of the back office: a title, one heading, no sideways scrolling, nothing for axe to find', async ({ page }) => {
    await logIn(page, 'admin@yardbid.test')
    for (const place of staff)
      await test.step(place, async () => {
        await page.goto(places[place].path)
        await expect(page.getByRole('navigation', { name: 'Back office' })).toBeVisible()
        await isSound(page)
      })
  })
})

test('the market tells a trade what it is and how to get in', { tag: '@wide' }, async ({ page }) => {
  await logIn(page, 'trade@yardbid.test')
  await page.goto('/market')
  await isSound(page)
  await expect(page.getByText(/full/i).first()).toBeVisible()
})

test('the API documentation is drawn under a policy without inline scripts and styles', { tag: '@wide' }, async ({ page }) => {
  const refused: string[] = []
  await page.exposeFunction('tellRefused', (what: string) => refused.push(what))
  await page.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      // a library tries whether it may compile code, and does without
      if (blockedURI !== 'eval') Reflect.get(window, 'tellRefused')(`${violatedDirective} ${blockedURI}`)
    }),
  )
  const response = await page.goto('/api/docs')
  expect(response?.headers()['content-security-policy']).not.toContain('unsafe')
  await expect(page.getByText('/auth/login').first()).toBeVisible()
  await page.getByRole('link', { name: 'auth' }).first().click()
  expect(refused).toEqual([])
})

test('the skip link leads past the navigation, and a navigation moves the focus to the page', { tag: '@wide' }, async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeFocused()
  await page.getByRole('banner').getByRole('link', { name: 'Log in' }).click()
  await expect(page).toHaveURL('/login')
  await expect(page.locator(':focus')).toHaveText(/Log in/)
})

test('every target is at least 44 pixels high on a phone', { tag: '@phone' }, async ({ page }) => {
  for (const path of ['/', '/login', '/register', '/preregistration', '/download']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    if (path !== '/') await expectLoaded(page)
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

/** What stands further down is loaded when somebody comes near it. */
async function scrollDown(page: Page) {
  const last = page.getByRole('heading', { name: 'Who it is for' })
  await expect(async () => {
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    await expect(last).toBeVisible({ timeout: 500 })
  }).toPass()
}

async function isSound(page: Page) {
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
  await expectLoaded(page)
  await expect(page).toHaveTitle(/.+ · Yardbid|Yardbid/)
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(overflow, page.url()).toBeLessThanOrEqual(0)
  await expectAccessible(page)
}
