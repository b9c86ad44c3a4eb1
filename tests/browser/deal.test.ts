import type { Browser, Page } from '@playwright/test'
import type { User } from '#contract/account.ts'
import { endNow, listingOf, verifyLeader } from '#tests/browser/support/database.ts'
import { ORIGIN } from '#tests/browser/support/place.ts'
import { fillForm, photoNamed, picker, row, send, tiles } from '#tests/browser/support/selling.ts'
import { beBidder, bid, bidAsRival, logIn } from '#tests/browser/support/session.ts'
import { openProfile, ownAccount } from '#tests/browser/support/account.ts'
import { expect, expectAccessible, test } from '#tests/browser/support/visit.ts'

const SELLER = 'seller@yardbid.test'

test('before the first bid the owner edits everything; a bid that comes first wins', { tag: '@wide' }, async ({ page }) => {
  await ownAccount(page)
  await fillForm(page, 'Copper, to be put right')
  await page.getByLabel('Weighbridge ticket').setInputFiles(await photoNamed('ticket.png'))
  await expect(page.getByRole('button', { name: 'Remove ticket.png' })).toBeVisible()
  await expect(page.getByRole('progressbar')).toHaveCount(0)
  await send(page)
  await expect(row(page, 'Copper, to be put right').getByText('Active', { exact: true })).toBeVisible()
  await row(page, 'Copper, to be put right').getByRole('link').click()
  await page.getByRole('link', { name: 'Edit' }).click()
  await expect(page.getByLabel('Start price')).toHaveValue('6000.10')
  await expect(tiles(page)).toHaveCount(1)
  await expect(page.getByRole('button', { name: 'Remove ticket.png' })).toBeVisible()
  await picker(page).setInputFiles(await photoNamed('second.png'))
  await expect(tiles(page)).toHaveCount(2)
  await expect(page.getByRole('progressbar')).toHaveCount(0)
  await page.getByLabel('Title').fill('Copper, put right')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Copper, put right' })).toBeVisible()
  await expect(page).toHaveURL(/\/my-listings\/[\w-]+$/)
  await expect(page.getByRole('link', { name: 'Photo 2 of 2' })).toBeVisible()

  await page.getByRole('link', { name: 'Edit' }).click()
  await expect(page.getByRole('button', { name: 'Remove ticket.png' })).toBeVisible()
  await page.getByLabel('Title').fill('Too late')
  // the page does not hear of the bid before it is sent
  await page.route('**/api/v1/listings/*', (route) => (route.request().method() === 'GET' ? route.abort() : route.continue()))
  await bidAsRival(/my-listings\/([\w-]+)/.exec(page.url())?.[1] ?? '', 6_100_00)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('After the first bid you can add a note')).toBeVisible()
  await page.unroute('**/api/v1/listings/*')
  await page.getByRole('link', { name: 'Back to the listing' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Copper, put right' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Edit' })).toBeHidden()
})

test('relisting leads to the new listing', { tag: '@wide' }, async ({ page }) => {
  const over = new Date(Date.now() - 60_000)
  const id = await listingOf(SELLER, { status: 'Expired', title: 'Nobody bid', expires_at: over, first_expires_at: over })
  await logIn(page, SELLER)
  await page.goto(`/my-listings/${id}`)
  await page.getByRole('button', { name: 'Relist' }).click()
  const form = page.getByRole('form', { name: 'Relist' })
  await form.getByLabel('Days it runs').fill('2')
  await form.getByRole('button', { name: 'Relist' }).click()
  await expect(form.getByLabel('Days it runs')).toHaveAccessibleDescription(/Choose one of 1, 3, 5, 7, 10, 14 days/)
  await form.getByLabel('Days it runs').fill('3')
  await form.getByRole('button', { name: 'Relist' }).dblclick()
  await expect(page.getByText('Relisted', { exact: true }).first()).toBeVisible()
  await expect(page).not.toHaveURL(new RegExp(id))
  await expect(page.getByRole('heading', { level: 1, name: 'Nobody bid' })).toBeVisible()
  await page.goto(`/my-listings/${id}`)
  await expect(page.getByRole('region', { name: 'Timeline' }).getByText('Relisted')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Relist' })).toHaveCount(0)
})

test(
  'below the reservation price the seller offers at the highest bid, the buyer accepts, and both see what is due',
  { tag: '@phone' },
  async ({ page, browser }) => {
    const id = await listingOf(SELLER, { title: 'Offered', reservation_price: 900_00, weight_kg: 2_000, price_basis: 'tonne' })
    await beBidder(page)
    await bid(page, id, 200_00)
    await verifyLeader(id)
    await endNow(id)
    const seller = await another(browser, page, SELLER)
    await seller.goto(`/my-listings/${id}`)
    await expect(seller.getByText('Reservation price not met')).toBeVisible()
    await expect(seller.getByText(/^Your turn until/)).toBeVisible()
    await seller.getByRole('button', { name: 'Offer to the highest bidder' }).click()
    const dialog = seller.getByRole('alertdialog', { name: 'Offer to the highest bidder?' })
    await expect(dialog).toContainText('£200.00 / t')
    await dialog.getByRole('button', { name: 'Offer to the highest bidder' }).dblclick()
    await expect(seller.getByText(/^Waiting for Test Metals until/)).toBeVisible()
    await seller.context().close()

    await page.goto(`/activity/${id}`)
    await expect(page.getByText('Offered At Highest Bid Price')).toBeVisible()
    await page.getByRole('button', { name: 'Accept offer' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Accept offer' }).click()
    await expect(page.getByText('Unpaid', { exact: true })).toBeVisible()
    const purchase = page.getByRole('region', { name: 'Your purchase' })
    await expect(purchase.getByText('You won. £480.00 is due.')).toBeVisible()
    await expect(purchase.getByRole('listitem').filter({ hasText: 'Won, done' })).toBeVisible()
    await expect(purchase.getByRole('button', { name: 'Get the account details' })).toBeVisible()
    await expectAccessible(page)
  },
)

test('a VAT number that the register does not know stops the sale until it is corrected', { tag: '@phone' }, async ({ page }) => {
  const email = await openProfile(page)
  const number = page.getByLabel('VAT number', { exact: true })
  await number.fill('GB123456700')
  await page.getByRole('button', { name: 'Save details' }).click()
  const vatStatus = async () => ((await (await page.request.get('/api/v1/auth/me')).json()) as { data: User }).data.vat_status
  await expect.poll(vatStatus, 'the worker has asked the register').toBe('failed')
  await page.reload()
  await expect(number).toHaveAccessibleDescription(/Not in the VAT register/)
  await expectAccessible(page)
  const id = await listingOf(email, { title: 'Waiting for a number' })
  await bidAsRival(id, 200_00)
  await verifyLeader(id)
  await endNow(id)
  await page.goto(`/my-listings/${id}`)
  await expect(page.getByText('VAT Check Failed')).toBeVisible()
  await page.getByRole('button', { name: 'Correct VAT number' }).click()
  const form = page.getByRole('form', { name: 'Correct VAT number' })
  await form.getByLabel('VAT number', { exact: true }).fill('GB555555500')
  await form.getByRole('button', { name: 'Correct VAT number' }).click()
  await expect(form.getByLabel('VAT number', { exact: true })).toHaveAccessibleDescription(/not in the VAT register/)
  await form.getByLabel('VAT number', { exact: true }).fill('GB 987 6543 21')
  await form.getByRole('button', { name: 'Correct VAT number' }).dblclick()
  await expect(page.getByText('VAT number corrected').first()).toBeVisible()
  await expect(page.getByText('Pending Payment', { exact: true })).toBeVisible()
})

test('a seller withdraws with a reason, which a bidder reads', { tag: '@wide' }, async ({ page, browser }) => {
  const end = new Date(Date.now() + 5 * 86_400_000)
  const id = await listingOf(SELLER, { title: 'Withdrawn', reservation_price: 900_00, expires_at: end, first_expires_at: end })
  await beBidder(page)
  await bid(page, id, 200_00)
  const seller = await another(browser, page, SELLER)
  await seller.goto(`/my-listings/${id}`)
  await seller.getByRole('button', { name: 'Withdraw listing' }).click()
  const form = seller.getByRole('form', { name: 'Withdraw listing' })
  await form.getByRole('button', { name: 'Withdraw listing' }).click()
  await expect(form.getByLabel('Reason')).toHaveAccessibleDescription(/Reason is required/)
  await form.getByLabel('Reason').fill('The load burnt.')
  await form.getByRole('button', { name: 'Withdraw listing' }).click()
  await expectAccessible(seller)
  const dialog = seller.getByRole('alertdialog', { name: 'Are you sure?' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(form.getByLabel('Reason')).toHaveValue('The load burnt.')
  await form.getByRole('button', { name: 'Withdraw listing' }).click()
  await dialog.getByRole('button', { name: 'Withdraw listing' }).click()
  await expect(seller.getByText('Withdrawn', { exact: true }).first()).toBeVisible()
  await expect(seller.getByRole('button', { name: 'Relist' })).toBeVisible()
  await seller.context().close()

  await page.goto(`/activity/${id}`)
  await expect(page.getByText('The seller withdrew this listing')).toBeVisible()
  await expect(page.getByText('The load burnt.', { exact: true })).toBeVisible()
})

/** Somebody else, in a browser of their own; whoever asks for it closes its context. */
async function another(browser: Browser, page: Page, email: string): Promise<Page> {
  const { width, height } = page.viewportSize() ?? { width: 1440, height: 900 }
  const context = await browser.newContext({ baseURL: ORIGIN, viewport: { width, height } })
  const other = await context.newPage()
  await logIn(other, email)
  return other
}
