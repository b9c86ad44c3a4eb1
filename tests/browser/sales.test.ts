import type { Browser, Locator, Page } from '@playwright/test'
import { endNow, grantTerms, listingOf, passDueDay, runOut, verifyLeader } from '#tests/browser/support/database.ts'
import { cardForm, cards, part, typeCard } from '#tests/browser/support/payments.ts'
import { ORIGIN } from '#tests/browser/support/place.ts'
import { photoNamed } from '#tests/browser/support/selling.ts'
import { beBidder, bid, bidAsRival, logIn } from '#tests/browser/support/session.ts'
import { expect, expectAccessible, test } from '#tests/browser/support/visit.ts'

// Whole sales, from the hammer to the last paper, by two people on two screens.

const SELLER = 'seller@yardbid.test'
const delivery = { transfer_method_id: 2 }

test(
  'a collection from the hammer to the payout: bank transfer in two parts, slot, handover code, acceptance, each side live',
  { tag: '@phone' },
  async ({ page, browser }) => {
    const { buyer, seller, purchase } = await won(browser, page, { title: 'Collected' })
    await expect(purchase.getByText('Confirm the holding fee of £25.00')).toBeVisible()
    await purchase.getByRole('button', { name: 'Get the account details' }).dblclick()
    await expect(purchase.getByRole('button', { name: 'Copy reference' })).toBeVisible()
    await expectAccessible(page)
    await sendMoney(page, '300.00', '£300.00 has arrived.')
    await expect(buyer.getByText('Balance Due', { exact: true })).toBeVisible()
    await expect(purchase.getByText('Paid in part: £300.00 of £480.00 has arrived')).toBeVisible()
    await expect(purchase.getByRole('radio', { name: 'Card' })).toHaveCount(0)
    await sendMoney(page, '180.00', 'Your bank transfer of £480.00 has arrived.')
    await expect(buyer.getByText('Organise exchange', { exact: true })).toBeVisible()

    await expect(seller.getByText('Documents Required', { exact: true })).toBeVisible()
    await expect(seller.getByRole('link', { name: '0161 496 0000' })).toBeVisible()
    await seller.getByRole('button', { name: 'Send documents and a slot' }).click()
    const documents = seller.getByRole('form', { name: 'Send documents and a slot' })
    await attach(documents, 'load_images')
    await attach(documents, 'weighbridge_ticket')
    await documents.getByLabel('Weight on the ticket').fill('1980')
    await documents.getByRole('group', { name: 'Soon' }).getByRole('button').first().click()
    await documents.getByRole('button', { name: 'Send documents and a slot' }).click()
    await expect(seller.getByText('Pending Collection', { exact: true })).toBeVisible()

    const code = page.getByRole('img', { name: /^Code:/ })
    await expect(code).toBeVisible()
    await expect(buyer.getByRole('img', { name: 'The same code as a QR code' })).toBeVisible()
    await expectAccessible(page)
    const digits = ((await code.getAttribute('aria-label')) ?? '').replaceAll(/\D/g, '')
    await seller.getByRole('button', { name: 'Confirm handover' }).click()
    const handover = seller.getByRole('form', { name: 'Confirm handover' })
    await handover.getByLabel('Handover code').fill(digits === '123456' ? '654321' : '123 456')
    await handover.getByLabel('Vehicle registration').fill('YK21 ABC')
    await handover.getByRole('button', { name: 'Confirm handover' }).click()
    await expect(handover.getByLabel('Handover code')).toHaveAttribute('aria-invalid', 'true')
    await handover.getByLabel('Handover code').fill(digits)
    await handover.getByRole('button', { name: 'Confirm handover' }).click()
    await expect(seller.getByText('Pending collection', { exact: true })).toBeVisible()

    await expect(buyer.getByText('Accept or amend', { exact: true })).toBeVisible()
    const weights = page.getByRole('region', { name: 'Weighbridge' })
    await expect(weights).toContainText('−20 kg')
    await expect(weights).toContainText('Within 2.5%')
    await purchase.getByRole('button', { name: 'Accept goods' }).click()
    await page.getByRole('form', { name: 'Accept goods' }).getByRole('button', { name: 'Accept goods' }).click()
    await expect(buyer.getByText('Exchange Completed', { exact: true })).toBeVisible()
    const saved = page.waitForEvent('download')
    await buyer
      .getByRole('region', { name: 'Papers' })
      .getByRole('button', { name: /^Invoice/ })
      .click()
    expect((await saved).suggestedFilename()).toMatch(/^invoice-.+\.pdf$/)
    await expectAccessible(page)
    await expect(seller.getByText('Exchange Complete', { exact: true })).toBeVisible()
    await expect(seller.getByRole('region', { name: 'Payouts' })).toContainText('£480.00')
    await seller.page().context().close()
  },
)

test(
  'a delivery with an amend down: a declined card, 3-D Secure, dispatch, weights that differ, credit note, exact refund',
  { tag: '@wide' },
  async ({ page, browser }) => {
    const sides = await won(browser, page, { title: 'Delivered', ...delivery })
    const { buyer, seller, purchase } = sides
    await purchase.getByRole('radio', { name: 'Card' }).check({ force: true })
    await payBy(page, cards.declined)
    await expect(cardForm(page).getByLabel('Card number')).toHaveAccessibleDescription(/declined/)
    await expectAccessible(page)
    await payBy(page, cards.authenticated)
    await expect(page.getByRole('heading', { name: 'Is that you?' })).toBeVisible()
    await page.getByRole('button', { name: 'Refuse' }).click()
    await expect(cardForm(page).getByLabel('Card number')).toHaveAccessibleDescription(/unable to authenticate/)
    await payBy(page, cards.authenticated)
    await page.getByRole('button', { name: 'Confirm', exact: true }).click()
    await expect(buyer.getByText('Organise exchange', { exact: true })).toBeVisible()
    await expect(page, 'no secret stays in the address').toHaveURL(/\/activity\/[\w-]+$/)

    await deliver(sides, '1900')
    await expect(buyer.getByRole('region', { name: 'Weighbridge' })).toContainText('Beyond 2.5%')

    await purchase.getByRole('button', { name: 'Request an amend' }).click()
    const form = page.getByRole('form', { name: 'Request an amend' })
    await expect(form.getByLabel('Weight found'), 'the own ticket says what was found').toHaveValue('1900')
    await form.getByRole('checkbox', { name: /^Contamination/ }).check()
    await form.getByLabel('Part that is not the material').fill('10')
    await expect(form.getByText('£410.40')).toBeVisible()
    await expect(form.getByText('£69.60')).toBeVisible()
    await expectAccessible(page)
    await page.reload()
    await expect(form.getByText('£69.60')).toBeVisible()
    await attach(form, 'evidence')
    await form.getByRole('button', { name: 'Request an amend' }).click()
    await expect(buyer.getByText('Amend Requested', { exact: true })).toBeVisible()

    await expect(seller.getByText('Review Amends', { exact: true })).toBeVisible()
    await expect(seller.getByRole('region', { name: 'Amend' })).toContainText('The buyer gets back£69.60')
    await seller.getByRole('button', { name: 'Approve amend' }).click()
    await seller.getByRole('alertdialog').getByRole('button', { name: 'Approve amend' }).click()
    await seller.getByRole('button', { name: 'Upload credit note' }).click()
    const credit = seller.getByRole('form', { name: 'Upload credit note' })
    await attach(credit, 'credit_note')
    await credit.getByLabel('Total on your credit note').fill('69.60')
    await credit.getByRole('button', { name: 'Upload credit note' }).click()
    await expect(seller.getByText('Exchange Complete', { exact: true })).toBeVisible()

    await expect(buyer.getByRole('region', { name: 'Refunds' })).toContainText('£69.60')
    await expect(
      page
        .getByRole('region', { name: 'Papers' })
        .getByRole('link', { name: /^Credit note/ })
        .first(),
    ).toBeVisible()
    await expectAccessible(page)
    await seller.page().context().close()
  },
)

test(
  'a card that the bank wants confirmed is asked for the holding fee at once, or another takes its place',
  { tag: '@phone' },
  async ({ page, browser }) => {
    const { seller, purchase } = await won(browser, page, { title: 'Held' })
    await seller.page().context().close()
    await expect(purchase.getByText('Confirm the holding fee of £25.00')).toBeVisible()
    await purchase.getByRole('button', { name: 'Use another card' }).click()
    await typeCard(cardForm(page), cards.authenticated)
    await cardForm(page).getByRole('button', { name: 'Hold £25.00 on this card' }).click()
    await page.getByRole('button', { name: 'Confirm', exact: true }).click()
    await expect(purchase.getByText('A holding fee of £25.00 is held on your card.')).toBeVisible()
  },
)

test('an amend up: the buyer pays the balance, and the sale is complete', { tag: '@wide' }, async ({ page, browser }) => {
  const sides = await won(browser, page, { title: 'More than listed', ...delivery })
  const { buyer, seller, purchase } = sides
  await purchase.getByRole('radio', { name: 'Card' }).check({ force: true })
  await payBy(page, cards.good)
  await deliver(sides, '2100')
  await purchase.getByRole('button', { name: 'Request an amend' }).click()
  const form = buyer.getByRole('form', { name: 'Request an amend' })
  await expect(form.getByText('You pay more£24.00')).toBeVisible()
  await attach(form, 'evidence')
  await form.getByRole('button', { name: 'Request an amend' }).click()
  await seller.getByRole('button', { name: 'Approve amend' }).click()
  await seller.getByRole('alertdialog').getByRole('button', { name: 'Approve amend' }).click()
  await seller.getByRole('button', { name: 'Upload supplementary invoice' }).click()
  const paper = seller.getByRole('form', { name: 'Upload supplementary invoice' })
  await attach(paper, 'invoice')
  await paper.getByRole('button', { name: 'Upload supplementary invoice' }).click()
  await expect(seller.getByText('Additional Payment Required', { exact: true })).toBeVisible()
  await expect(buyer.getByText('The amend raised the price. £24.00 is due.')).toBeVisible()
  await purchase.getByRole('radio', { name: 'Card' }).check({ force: true })
  await payBy(page, cards.good)
  await expect(buyer.getByText('Exchange Completed', { exact: true })).toBeVisible()
  await expect(seller.getByRole('region', { name: 'Payouts' })).toContainText('£24.00')
  await expectAccessible(seller.page())
  await seller.page().context().close()
})

test('a return: reason and photos, delivery note, credit note, all the money back', { tag: '@phone' }, async ({ page, browser }) => {
  const sides = await won(browser, page, { title: 'Sent back', ...delivery })
  const { buyer, seller, purchase } = sides
  await purchase.getByRole('radio', { name: 'Card' }).check({ force: true })
  await payBy(page, cards.good)
  await deliver(sides, '2000')
  await purchase.getByRole('button', { name: 'Start a return' }).click()
  const start = buyer.getByRole('form', { name: 'Start a return' })
  await start.getByLabel('Reason').fill('Tinned, not bright.')
  await attach(start, 'photos')
  await page.reload()
  await expect(start.getByLabel('Reason'), 'a phone that opened its camera may load the page again').toHaveValue('Tinned, not bright.')
  await expect(start.getByRole('button', { name: 'Remove photos.png' })).toBeVisible()
  await start.getByRole('button', { name: 'Start a return' }).click()
  await expect(seller.getByText('Return Started', { exact: true })).toBeVisible()
  await expect(seller.getByText('Tinned, not bright.', { exact: true }).first()).toBeVisible()
  await purchase.getByRole('button', { name: 'Send the goods back' }).click()
  const back = buyer.getByRole('form', { name: 'Send the goods back' })
  await attach(back, 'return_delivery_note')
  await back.getByRole('group', { name: 'Soon' }).getByRole('button').first().click()
  await back.getByRole('button', { name: 'Send the goods back' }).click()
  await expectAccessible(page)
  await seller.getByRole('button', { name: 'Confirm that the goods are back' }).click()
  const confirm = seller.getByRole('form', { name: 'Confirm that the goods are back' })
  await attach(confirm, 'return_credit_note')
  await confirm.getByRole('button', { name: 'Confirm that the goods are back' }).click()
  await expect(buyer.getByText('Return Complete', { exact: true })).toBeVisible()
  await expect(buyer.getByRole('region', { name: 'Refunds' })).toContainText('£480.00')
  await seller.page().context().close()
})

test('a missed payment goes to the next bidder, who buys at their own bid', { tag: '@wide' }, async ({ page, browser }) => {
  const id = await listingOf(SELLER, { title: 'Missed', weight_kg: 2_000, price_basis: 'tonne' })
  await beBidder(page)
  await bid(page, id, 150_00)
  await verifyLeader(id)
  await bidAsRival(id, 200_00)
  await verifyLeader(id)
  await endNow(id)
  const seller = await sellersPage(browser, page, id)
  await expect(seller.getByText('Pending Payment', { exact: true })).toBeVisible()
  await runOut(id)
  await expect(seller.getByText('Buyer Missed Payment', { exact: true })).toBeVisible()
  await expectAccessible(seller.page())
  await seller.getByRole('button', { name: 'Offer to the next bidder' }).click()
  await seller.getByRole('alertdialog').getByRole('button', { name: 'Offer to the next bidder' }).click()
  await page.goto(`/activity/${id}`)
  const buyer = openListing(page)
  await buyer.getByRole('button', { name: 'Accept offer' }).click()
  await expect(buyer.getByRole('alertdialog')).toContainText('£360.00 in all')
  await buyer.getByRole('alertdialog').getByRole('button', { name: 'Accept offer' }).click()
  await expect(buyer.getByText('You won. £360.00 is due.')).toBeVisible()
  await seller.page().context().close()
})

test('deferred terms: the goods first, then due, overdue and paid', { tag: '@phone' }, async ({ page, browser }) => {
  const sides = await won(browser, page, { title: 'Paid later', ...delivery, accepts_deferred_payment: true })
  const { id, buyer, seller, purchase } = sides
  await grantTerms(id, { days: 14, limit: 1_000_00 })
  await page.reload()
  await purchase.getByRole('button', { name: 'Pay later on your terms' }).click()
  await buyer.getByRole('alertdialog').getByRole('button', { name: 'Pay later on your terms' }).click()
  await expect(buyer.getByRole('listitem').filter({ hasText: 'On terms, done' })).toBeVisible()
  await deliver(sides, '2000')
  await purchase.getByRole('button', { name: 'Accept goods' }).click()
  await buyer.getByRole('form', { name: 'Accept goods' }).getByRole('button', { name: 'Accept goods' }).click()
  await expect(buyer.getByText('Payment due', { exact: true })).toBeVisible()
  await expect(seller.getByText('Awaiting payment', { exact: true })).toBeVisible()
  await passDueDay(id)
  await expect(seller.getByText('Buyers payment overdue', { exact: true })).toBeVisible()
  await expect(buyer.getByText('£480.00 is overdue. You cannot bid until it is paid.')).toBeVisible()
  await expectAccessible(page)
  await purchase.getByRole('radio', { name: 'Card' }).check({ force: true })
  await payBy(page, cards.good)
  await expect(buyer.getByText('Exchange Completed', { exact: true })).toBeVisible()
  await seller.page().context().close()
})

test(
  'a saved card that its bank wants to see is confirmed for the holding fee without typing it again',
  { tag: '@wide' },
  async ({ page, browser }) => {
    await beBidder(page)
    await page.goto('/account/subscriptions#holding-fee')
    await part(page, 'Card for the holding fee')
      .getByRole('button', { name: /^(Add a|Change) card/ })
      .click()
    await typeCard(cardForm(page), cards.alwaysAuthenticated)
    await cardForm(page).getByRole('button', { name: 'Save card' }).click()
    await page.getByRole('button', { name: 'Confirm', exact: true }).click()
    await expect(page.getByText('Card added successfully')).toBeVisible()
    const { seller, purchase } = await won(browser, page, { title: 'Asked by the bank' }, true)
    await seller.page().context().close()
    await purchase.getByRole('button', { name: 'Confirm with your bank' }).click()
    await page.getByRole('button', { name: 'Confirm', exact: true }).click()
    await expect(purchase.getByText('A holding fee of £25.00 is held on your card.')).toBeVisible()
    await expect(page, 'no secret stays in the address').toHaveURL(/\/activity\/[\w-]+$/)
  },
)

test(
  'a payment whose answer is lost is asked for again with the same key, two tabs see one payment, and a card takes its place',
  { tag: '@phone' },
  async ({ page, browser }) => {
    const { id, buyer, seller, purchase } = await won(browser, page, { title: 'Asked for twice' })
    await seller.page().context().close()
    const keys: (string | undefined)[] = []
    await page.route('**/pay', async (route) => {
      keys.push(route.request().headers()['idempotency-key'])
      if (keys.length > 1) return route.continue()
      await route.fetch()
      await route.abort()
    })
    await purchase.getByRole('button', { name: 'Get the account details' }).click()
    const reference = purchase.getByRole('definition').filter({ hasText: /^(?=.*[A-Z])[A-Z0-9]{8,}$/ })
    await expect(reference).toBeVisible()
    await expect.poll(() => keys.length).toBe(2)
    expect(keys[0]).toBe(keys[1])

    const tab = await page.context().newPage()
    await tab.goto(`/activity/${id}`)
    await expect(tab.getByText(await reference.innerText(), { exact: true })).toBeVisible()
    await purchase.getByRole('radio', { name: 'Card' }).check({ force: true })
    await expect(purchase.getByText('The bank transfer that you began is cancelled then.')).toBeVisible()
    await payBy(page, cards.good)
    await expect(buyer.getByText('Organise exchange', { exact: true })).toBeVisible()
    await expect(tab.getByText('Organise exchange', { exact: true })).toBeVisible()
    await tab.close()
  },
)

type Sides = { id: string; buyer: Locator; seller: Locator; purchase: Locator }

/** £200.00 / t for two tonnes, £480.00 with VAT: the page is the buyer's, and the seller has a browser of their own. */
async function won(browser: Browser, page: Page, changes: Record<string, unknown>, isBidder = false): Promise<Sides> {
  const id = await listingOf(SELLER, { weight_kg: 2_000, price_basis: 'tonne', ...changes })
  if (!isBidder) await beBidder(page)
  await bid(page, id, 200_00)
  await verifyLeader(id)
  await endNow(id)
  const seller = await sellersPage(browser, page, id)
  await expect(seller.getByText(/^Waiting for Test Metals until/)).toBeVisible()
  await page.goto(`/activity/${id}`)
  const buyer = openListing(page)
  const purchase = buyer.getByRole('region', { name: 'Your purchase' })
  await expect(purchase.getByText('You won. £480.00 is due.')).toBeVisible()
  return { id, buyer, seller, purchase }
}

async function sellersPage(browser: Browser, page: Page, id: string): Promise<Locator> {
  const { width, height } = page.viewportSize() ?? { width: 1440, height: 900 }
  const context = await browser.newContext({ baseURL: ORIGIN, viewport: { width, height } })
  const seller = await context.newPage()
  await logIn(seller, SELLER)
  await seller.goto(`/my-listings/${id}`)
  return openListing(seller)
}

/** On a wide screen a list stands beside it. */
const openListing = (page: Page) => page.locator('article', { has: page.getByRole('heading', { level: 1 }) })

async function payBy(page: Page, number: string): Promise<void> {
  await typeCard(cardForm(page), number)
  await cardForm(page)
    .getByRole('button', { name: /^Pay £/ })
    .click()
}

/** Dispatched as listed; the buyer's ticket says what arrived. */
async function deliver({ buyer, seller, purchase }: Sides, arrived: string): Promise<void> {
  await seller.getByRole('button', { name: 'Dispatch' }).click()
  const dispatch = seller.getByRole('form', { name: 'Dispatch' })
  for (const paper of ['weighbridge_ticket', 'load_images', 'delivery_note']) await attach(dispatch, paper)
  await dispatch.getByLabel('Weight on the ticket').fill('2000')
  await dispatch.getByLabel('Vehicle registration').fill('YK21 ABC')
  await dispatch.getByRole('group', { name: 'Soon' }).getByRole('button').first().click()
  await dispatch.getByRole('button', { name: 'Dispatch' }).click()

  await expect(buyer.getByText('Pending delivery', { exact: true })).toBeVisible()
  await purchase.getByRole('button', { name: 'Confirm that the goods arrived' }).click()
  const receipt = buyer.getByRole('form', { name: 'Confirm that the goods arrived' })
  await attach(receipt, 'weighbridge_ticket')
  await receipt.getByLabel('Weight on the ticket').fill(arrived)
  await receipt.getByRole('button', { name: 'Confirm that the goods arrived' }).click()
  await expect(buyer.getByText('Accept or amend', { exact: true })).toBeVisible()
}

/** A photo into a field of a form, until it has arrived. */
async function attach(form: Locator, field: string): Promise<void> {
  await form.locator(`[name=${field}]`).setInputFiles(await photoNamed(`${field}.png`))
  await expect(form.getByRole('button', { name: `Remove ${field}.png` })).toBeVisible()
  await expect(form.getByRole('progressbar')).toHaveCount(0)
}

/** By the sandbox's own bank, which the account details link to. */
async function sendMoney(page: Page, pounds: string, answer: string): Promise<void> {
  const opened = page.waitForEvent('popup')
  await page.getByRole('link', { name: /^Sandbox: open the bank/ }).click()
  const bank = await opened
  await bank.getByLabel('Amount in pounds').fill(pounds)
  await bank.getByRole('button', { name: 'Pay this transfer' }).click()
  // a window that is closed while it sends its form may never close
  await expect(bank.getByText(answer)).toBeVisible()
  await bank.close()
}
