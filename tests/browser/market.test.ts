import type { Browser, Page } from '@playwright/test'
import { ownAccount } from '#tests/browser/support/account.ts'
import { asOwner, newBidder } from '#tests/browser/support/database.ts'
import { ORIGIN } from '#tests/browser/support/place.ts'
import { expect, expectAccessible, expectLoaded, test } from '#tests/browser/support/visit.ts'
import { hostileTexts } from '#tests/support/hostile-texts.ts'

/** A second person, in a browser of their own. */
async function another(browser: Browser, page: Page): Promise<Page> {
  const context = await browser.newContext({ baseURL: ORIGIN, viewport: page.viewportSize() })
  return context.newPage()
}

const messages = (page: Page) => page.getByRole('log', { name: 'Messages' })

const beTrade = (email: string) =>
  asOwner(`update users set tier = 'seller', business_activity = 'electrician', company_name = 'Spark & Co' where email = $1`, [email])

test('a trade posts an enquiry; a merchant sees it come by itself and grabs the deal; both get the record and the contact details', async ({
  page,
  browser,
}) => {
  test.slow()
  await beTrade(await ownAccount(page))
  const merchant = await another(browser, page)
  await newBidder(await ownAccount(merchant))
  const title = `Copper cable ${Date.now()}`
  await merchant.goto('/market?material=copper_cable')
  await expect(merchant.getByRole('list', { name: 'Enquiries' })).toBeVisible()
  await expectAccessible(merchant)

  await page.goto('/market')
  await expect(page.getByRole('heading', { name: 'How it works' }), 'without the permission the market is explained').toBeVisible()
  await page.getByRole('link', { name: 'Post an enquiry' }).click()
  await page.getByLabel('Material').selectOption('copper_cable')
  await expect(page.getByLabel('Title')).toHaveValue('Copper, cable by recovery')
  await page.getByLabel('Title').fill(title)
  await page.getByLabel('Rough weight').fill('120')
  await page.reload()
  await expect(page.getByLabel('Title'), 'what was typed is kept').toHaveValue(title)
  await page.getByText('More about it').click()
  await page.getByLabel('Description').fill('Ring 07700 900123')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Post it' }).click()
  await expect(page.getByText('Leave out the phone number')).toBeVisible()
  await page.getByLabel('Description').fill('Three bags, clean')
  await page.getByRole('button', { name: 'Post it' }).click()
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'No answers yet' })).toBeVisible()

  // nobody reloads: the list grows by itself
  await merchant.getByRole('link', { name: title }).click()
  await expect(merchant.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await expect(merchant.getByText('M1', { exact: false }).first()).toBeVisible()
  await merchant.getByRole('button', { name: 'Grab the deal' }).click()
  const form = merchant.getByRole('form', { name: 'Grab the deal' })
  await form.getByRole('button', { name: 'Make the offer' }).click()
  await expect(form.getByText('Enter a price')).toBeVisible()
  await form.getByLabel('Price for the lot').fill('310')
  await form.getByLabel('Message').fill('Can come today')
  await form.getByRole('button', { name: 'Offer £310.00' }).click()
  await expect(merchant).toHaveURL(/\/market\/conversation\//)
  await expect(merchant.getByRole('region', { name: 'Your offer, £310.00' })).toBeVisible()

  await page.getByRole('link', { name: /Smith Metals Ltd/ }).click()
  const offer = page.getByRole('region', { name: 'Offer of Smith Metals Ltd, £310.00' })
  await expect(offer).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('Message', { exact: true }).fill('My number is 07700 900456')
  await expect(page.getByText('is hidden until the deal is agreed')).toBeVisible()
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(messages(merchant).getByText('[phone number hidden]')).toBeVisible()
  await offer.getByRole('button', { name: 'Accept £310.00' }).click()
  await page.getByRole('button', { name: 'Accept the offer' }).click()

  for (const [side, other] of [
    [page, 'Smith Metals Ltd'],
    [merchant, 'Spark & Co'],
  ] as const) {
    const deal = side.getByRole('region', { name: /^Deal agreed on/ })
    await expect(deal).toContainText('£310.00')
    await expect(deal).toContainText(other)
    await expect(deal.getByRole('link', { name: /@example\.test/ })).toBeVisible()
  }
  await expect(messages(merchant).getByText('07700 900456'), 'with the deal nothing is hidden').toBeVisible()
  await expectAccessible(merchant)
  await merchant.context().close()
})

test(
  'the market’s words stand in its path, its filters follow, and both outlive a reload; the map shows the same',
  { tag: '@wide' },
  async ({ page }) => {
    await newBidder(await ownAccount(page))
    await page.goto('/market')
    await page.getByLabel('Search').fill('lead')
    await expect(page).toHaveURL('/market/search/lead')
    const found = page.getByRole('list', { name: 'Enquiries' })
    await expect(found.getByRole('link', { name: /Lead from a tenement roof/ })).toBeVisible()
    await page.getByLabel('Near').fill('G1')
    await page.getByLabel('Within').selectOption('25')
    await expect(page).toHaveURL('/market/search/lead?near=G1&within=25')
    await page.reload()
    await expect(found.getByRole('listitem')).toHaveCount(1)
    await found.getByRole('link').click()
    await expect(page.getByRole('heading', { level: 1, name: 'Lead from a tenement roof' })).toBeVisible()
    await page.getByRole('link', { name: 'Close' }).click()
    await expect(page).toHaveURL('/market/search/lead?near=G1&within=25')

    await page.getByLabel('Near').fill('ZZ9')
    await expect(page.getByRole('heading', { name: 'ZZ9 is not a post code that we know' })).toBeVisible()
    await page.getByRole('button', { name: 'Search everywhere' }).click()
    await page.getByLabel('Search').fill('no such metal')
    await expect(page.getByRole('heading', { name: 'No enquiry matches' })).toBeVisible()
    await page.getByRole('button', { name: 'Show all enquiries' }).click()
    await expect(page).toHaveURL('/market')
    await page.getByRole('button', { name: 'Map' }).click()
    await expect(page).toHaveURL('/market?view=map')
    await expect(page.getByText(/^\d+ enquiries\. Choose a place\.$/)).toBeVisible()
    await page.getByLabel('Show tradespeople').check()
    await expectAccessible(page)
  },
)

test('material preferences are saved, and what was saved is there after a reload', async ({ page }) => {
  await newBidder(await ownAccount(page))
  await page.goto('/account/material-preferences')
  await page.getByLabel('Copper, all grades').check()
  await expect(page.getByLabel('Bright')).toBeChecked()
  await page.getByLabel('No. 2').uncheck()
  await expect(page.getByLabel('Copper, all grades')).not.toBeChecked()
  await page.getByLabel('Post code').fill('ZZ99')
  await page.getByRole('button', { name: 'Save preferences' }).click()
  await expect(page.getByText('This post code is not known')).toBeVisible()
  await page.getByLabel('Post code').fill('M1')
  await page.getByRole('button', { name: 'Save preferences' }).click()
  await expect(page.getByText('Material preferences updated.')).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('Bright')).toBeChecked()
  await expect(page.getByLabel('No. 2')).not.toBeChecked()
  await expect(page.getByLabel('Within')).toHaveValue('50')
  await expectAccessible(page)
})

test('enquiries with hostile texts are shown as text, and none is wider than a phone', { tag: '@phone' }, async ({ page }) => {
  const email = await ownAccount(page)
  await beTrade(email)
  const texts = hostileTexts
    .map((text) => text.toWellFormed().replaceAll('\0', ''))
    .filter((text) => text.trim() !== '' && text.length <= 4_000)
  // as rows, and ended: so nobody else's list shows them
  const { rows } = await asOwner(
    `insert into enquiries (poster_id, status, ended_at, ended_by, title, description, material_id, address_line_1, town, post_code, latitude, longitude,
       district, district_latitude, district_longitude, spot, ends_at)
     select u.id, 'ended', app_now(), 'poster', left(text, 100), text, e.material_id, e.address_line_1, e.town, e.post_code, e.latitude, e.longitude,
            e.district, e.district_latitude, e.district_longitude, e.spot, e.ends_at
     from (select * from enquiries order by created_at limit 1) as e, users u, unnest($2::text[]) as text
     where u.email = $1
     returning id, length(description) as length`,
    [email, texts],
  )
  await page.goto('/market/mine')
  const cards = page.getByRole('main').getByRole('listitem')
  const more = page.getByRole('button', { name: 'Show more' })
  await expect(cards.first()).toBeVisible()
  while ((await cards.count()) < texts.length) {
    const shown = await cards.count()
    await more.click()
    await expect.poll(() => cards.count()).toBeGreaterThan(shown)
  }
  const seen = () =>
    page.evaluate(() => ({
      page: document.documentElement.scrollWidth,
      tooWide: [...document.querySelectorAll('main li, main p, main h1')].filter((each) => each.getBoundingClientRect().right > innerWidth)
        .length,
      made: document.querySelectorAll('main :is(script, iframe, svg[onload], style, marquee)').length,
    }))
  expect(await seen()).toEqual({ page: 390, tooWide: 0, made: 0 })
  // the longest on its own page
  const longest = rows.toSorted((a, b) => b.length - a.length)[0]
  await page.goto(`/market/listing/${longest?.id}`)
  await expectLoaded(page)
  expect(await seen()).toEqual({ page: 390, tooWide: 0, made: 0 })
})
