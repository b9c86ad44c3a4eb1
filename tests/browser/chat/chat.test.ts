import type { Page } from '@playwright/test'
import { connected, listingOf, sessionOf } from '#tests/browser/support/database.ts'
import { ORIGIN } from '#tests/browser/support/place.ts'
import { photoNamed } from '#tests/browser/support/selling.ts'
import { beBidder, logIn, read, sendTo, withCsrf, type Cookies } from '#tests/browser/support/session.ts'
import { expect, expectAccessible, expectLoaded, test } from '#tests/browser/support/visit.ts'
import { hostileTexts } from '#tests/support/hostile-texts.ts'

const SELLER = 'seller@yardbid.test'
const composer = (page: Page) => page.getByRole('textbox', { name: 'Message' })
const log = (page: Page) => page.getByRole('log', { name: 'Messages' })

/** The seller's side of the only conversation about a listing, by the interface. */
async function answerer(listing: string) {
  const cookies: Cookies = await withCsrf(await sessionOf(SELLER))
  const { data } = (await read(`/api/v1/listings/${listing}/chats`, cookies)) as { data: { with: { id: string } }[] }
  const path = `/api/v1/listings/${listing}/chats/${data[0]?.with.id}`
  const cookie = Object.entries(cookies).map(([name, value]) => `${name}=${value}`).join('; ') // prettier-ignore
  return {
    say: (body: string) => sendTo(`${path}/messages`, cookies, { body }),
    markRead: () => fetch(`${ORIGIN}${path}/read`, { method: 'PUT', headers: { cookie, 'x-xsrf-token': cookies['XSRF-TOKEN'] ?? '' } }),
    history: async () => ((await read(`${path}/messages`, cookies)) as { data: { body: string }[] }).data.map(({ body }) => body),
  }
}

test('a question to the seller: contact details are hidden and said to be, the answer and the read mark come live', async ({ page }) => {
  const listing = await listingOf(SELLER, { title: 'Busbar, tinned' })
  await beBidder(page)
  await page.goto(`/listings/${listing}`)
  await page.getByRole('link', { name: 'Ask the seller' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await composer(page).fill('Is it dry? Ring 07700 900 123')
  await expect(page.getByText('The phone number is hidden until the sale is paid.')).toBeVisible()
  await page.getByLabel('Add photos').setInputFiles(await photoNamed('load.png'))
  await expect(page.getByRole('list', { name: 'Photos to send' }).getByRole('progressbar')).toHaveCount(0)
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(composer(page)).toHaveValue('')
  await expect(log(page).getByText('Contact details are hidden until the sale is paid')).toBeVisible()
  await expect(log(page).getByRole('link', { name: 'Photo 1 of 1, opens in a new tab' })).toBeVisible()
  await expect(log(page).getByRole('img', { name: 'Sent' })).toBeVisible()

  const seller = await answerer(listing)
  expect(await seller.history()).toEqual(['Is it dry? Ring [phone number hidden]'])
  await seller.markRead()
  await expect(log(page).getByRole('img', { name: 'Read' })).toBeVisible()
  await seller.say('Dry, in two bags')
  await expect(log(page).getByText('Dry, in two bags')).toBeVisible()
  await expectLoaded(page)
  await expectAccessible(page)
})

test(
  'what was typed outlives a reload; a message whose answers are lost arrives once, in its order',
  { tag: '@phone' },
  async ({ page }) => {
    const listing = await listingOf(SELLER, { title: 'Pipe, copper' })
    await beBidder(page)
    await page.goto(`/listings/${listing}`)
    await page.getByRole('link', { name: 'Ask the seller' }).click()
    await composer(page).fill('First line\nsecond line')
    await page.reload()
    await expect(composer(page)).toHaveValue('First line\nsecond line')

    // the server gets it, the page does not get the answer
    let lost = 0
    await page.route('**/chats/*/messages', async (route) => {
      if (route.request().method() !== 'POST' || lost++ > 1) return route.fallback()
      await route.fetch()
      return route.abort()
    })
    await page.getByRole('button', { name: 'Send' }).click()
    await composer(page).fill('And another')
    await page.getByRole('button', { name: 'Send' }).click()
    await expect(log(page).getByRole('img', { name: 'Sent' })).toHaveCount(2)
    await expect(log(page).getByText('Sending…')).toHaveCount(0)
    const seller = await answerer(listing)
    expect(await seller.history()).toEqual(['First line\nsecond line', 'And another'])
    expect(lost).toBeGreaterThan(2)
  },
)

test('the inbox beside the conversation, unread counts, a report and a block', { tag: '@wide' }, async ({ page, browser }) => {
  const title = `Gunmetal ${Date.now()}`
  const listing = await listingOf(SELLER, { title })
  await beBidder(page)
  await page.goto(`/listings/${listing}`)
  await page.getByRole('link', { name: 'Ask the seller' }).click()
  await composer(page).fill('Is there lead in it?')
  await composer(page).press('Enter')
  await expect(log(page).getByRole('img', { name: 'Sent' })).toBeVisible()
  await page.goto('/activity')
  const seller = await answerer(listing)
  await seller.say('A little')
  const badge = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /Messages/ })
  await expect(badge).toContainText('1 unread messages')
  await badge.click()
  await expect(page).toHaveURL('/messages')
  const row = page.getByRole('listitem').filter({ hasText: title })
  await expect(row).toContainText('A little')
  await expectAccessible(page)
  await row.getByRole('link').click()
  await expect(log(page).getByText('A little')).toBeVisible()
  await expect(row).toBeVisible()
  await expect(badge).not.toContainText('unread')

  await page.getByRole('button', { name: 'Report' }).click()
  const report = page.getByRole('dialog', { name: /Report/ })
  await report.getByLabel('What is wrong?').fill('Wants cash')
  await report.getByRole('button', { name: 'Report' }).click()
  await expect(page.getByText('Reported', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Block', exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Block' }).click()
  await expect(page.getByText('You blocked this member. Unblock them to write.')).toBeVisible()
  await expect(composer(page)).toBeHidden()
  await page.getByRole('button', { name: 'Unblock' }).click()
  await expect(composer(page)).toBeVisible()

  // a plan without the permission says so
  const basic = await browser.newPage()
  await logIn(basic, 'basic@yardbid.test')
  await basic.goto(`${ORIGIN}/listings/${listing}`)
  await basic.getByRole('link', { name: 'Ask the seller' }).click()
  await expect(basic.getByText(/Your plan does not include opening a chat/)).toBeVisible()
  await expect(basic.getByRole('link', { name: 'See the plans' })).toBeVisible()
  await basic.context().close()
})

test('200 hostile messages are shown as text, and none is wider than a phone', { tag: '@phone' }, async ({ page }) => {
  const listing = await listingOf(SELLER, {})
  await beBidder(page)
  await page.goto(`/listings/${listing}`)
  await page.getByRole('link', { name: 'Ask the seller' }).click()
  await composer(page).fill('Hello')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(log(page).getByRole('img', { name: 'Sent' })).toBeVisible()
  // what the interface refuses is not shown to anybody: the rest, as rows, because people send thirty a minute
  const texts = hostileTexts
    .map((text) => text.toWellFormed().replaceAll('\0', ''))
    .filter((text) => text.trim() !== '' && text.length <= 4_000)
  await connected(async (client) => {
    await client.query(
      `with t as (
         update chat_threads set message_count = 1 + $2, other_unread = $2 where listing_id = $1 returning id, owner_id
       )
       insert into chat_messages (thread_id, seq, sender_id, body, client_key)
       select t.id, 1 + nth, t.owner_id, text, nth::text from t, unnest($3::text[]) with ordinality as sent (text, nth)`,
      [listing, texts.length, texts],
    )
  })
  await page.reload()
  const older = page.getByRole('button', { name: 'Show older messages' })
  const bubbles = log(page).locator('p[dir=auto]')
  for (let pages = 1; pages * 50 < texts.length + 1; pages++) {
    await older.click()
    await expect(bubbles).toHaveCount(Math.min(texts.length + 1, (pages + 1) * 50))
  }
  const tooWide = await page.evaluate(() => ({
    page: document.documentElement.scrollWidth,
    bubbles: [...document.querySelectorAll('[role=log] p[dir=auto]')].filter((each) => each.getBoundingClientRect().right > innerWidth)
      .length,
    made: document.querySelectorAll('[role=log] :is(script, iframe, svg[onload], form, style, marquee)').length,
  }))
  expect(tooWide).toEqual({ page: 390, bubbles: 0, made: 0 })
  expect(await bubbles.first().textContent()).toBe('Hello')
  // the inbox, where the last one stands in one line
  await page.goto('/messages')
  await expectLoaded(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
})
