import { cardForm, cards, expectNoCard, hearRequests, holdFirst, part, typeCard } from '#tests/browser/support/payments.ts'
import { ownAccount } from '#tests/browser/support/account.ts'
import { expect, expectAccessible, test } from '#tests/browser/support/visit.ts'

const holdingFee = 'Card for the holding fee'

test('a card for the holding fee is saved at the provider, and its number reaches our server never', async ({ page }) => {
  await ownAccount(page)
  const sent = hearRequests(page)
  await page.goto('/account/subscriptions')
  const section = part(page, holdingFee)
  await section.getByRole('button', { name: 'Add a card' }).click()
  const form = cardForm(page)
  await expect(form.getByText('4242 4242 4242 4242').first()).toBeVisible()
  await expectAccessible(page)
  await typeCard(form, cards.good)
  await expect(form.getByLabel('Card number')).toHaveValue('4242 4242 4242 4242')
  await expect(form.getByLabel('Expiry date')).toHaveValue('12 / 34')
  await form.getByRole('button', { name: 'Save card' }).click()
  await expect(page.getByText('Card added successfully')).toBeVisible()
  await expect(section.getByText('Visa ending in 4242')).toBeVisible()
  await expect(section.getByText('Expires 12/34')).toBeVisible()
  expectNoCard(sent())
  expect(sent()).toContain('/api/v1/stripe/create-holding-fee-setup-intent')
})

test('what the provider says of a card stands under its field, and another card can be tried', { tag: '@phone' }, async ({ page }) => {
  await ownAccount(page)
  await page.goto('/account/subscriptions')
  await part(page, holdingFee).getByRole('button', { name: 'Add a card' }).click()
  const form = cardForm(page)
  for (const [number, field, says] of [
    [cards.declined, 'Card number', 'Your card was declined.'],
    [cards.unfunded, 'Card number', 'Your card has insufficient funds.'],
    [cards.expired, 'Expiry date', 'Your card has expired.'],
    [cards.wrongCvc, 'CVC', "Your card's security code is incorrect."],
    ['4242424242424241', 'Card number', /number/],
  ] as const) {
    await typeCard(form, number)
    await form.getByRole('button', { name: 'Save card' }).click()
    await expect(form.getByLabel(field)).toHaveAccessibleDescription(says)
    await expect(form.getByLabel(field)).toBeFocused()
  }
  await expectAccessible(page)
  await typeCard(form, cards.good)
  await form.getByRole('button', { name: 'Save card' }).click()
  await expect(page.getByText('Card added successfully')).toBeVisible()
})

test('an empty card form says what is missing, and sends nothing', { tag: '@wide' }, async ({ page }) => {
  await ownAccount(page)
  const sent = hearRequests(page)
  await page.goto('/account/subscriptions')
  await part(page, holdingFee).getByRole('button', { name: 'Add a card' }).click()
  const form = cardForm(page)
  await form.getByRole('button', { name: 'Save card' }).click()
  await expect(form.getByLabel('Card number')).toHaveAccessibleDescription('Enter the whole card number')
  await expect(form.getByLabel('Expiry date')).toHaveAccessibleDescription('Enter the month and the year')
  await expect(form.getByLabel('CVC')).toHaveAccessibleDescription('Enter the 3 or 4 digits')
  await expect(form.getByLabel('Card number')).toHaveAttribute('inputmode', 'numeric')
  await expect(form.getByLabel('Card number')).toHaveAttribute('autocomplete', 'cc-number')
  expect(sent()).not.toContain('setup-intent')
})

test(
  'a card number is grouped while it is typed, and mended in the middle without losing the place',
  { tag: '@wide' },
  async ({ page }) => {
    await ownAccount(page)
    await page.goto('/account/subscriptions')
    await part(page, holdingFee).getByRole('button', { name: 'Add a card' }).click()
    const number = cardForm(page).getByLabel('Card number')
    await number.pressSequentially('42424242')
    for (let step = 0; step < 6; step++) await number.press('ArrowLeft')
    await number.pressSequentially('99')
    await expect(number).toHaveValue('4249 9242 42')
    await number.press('Backspace')
    await expect(number).toHaveValue('4249 2424 2')
    const expiry = cardForm(page).getByLabel('Expiry date')
    await expiry.pressSequentially('430')
    await expect(expiry).toHaveValue('04 / 30')
    for (let step = 0; step < 4; step++) await expiry.press('Backspace')
    await expect(expiry).toHaveValue('')
  },
)

test(
  'a card that asks for its holder is confirmed at the bank, or refused there, and comes back to its form',
  { tag: '@wide' },
  async ({ page }) => {
    await ownAccount(page)
    const sent = hearRequests(page)
    await page.goto('/account/subscriptions#holding-fee')
    const section = part(page, holdingFee)
    await section.getByRole('button', { name: 'Add a card' }).click()
    const pay = async () => {
      await typeCard(cardForm(page), cards.authenticated)
      await cardForm(page).getByRole('button', { name: 'Save card' }).click()
      await expect(page.getByRole('heading', { name: 'Is that you?' })).toBeVisible()
    }
    await pay()
    await page.getByRole('button', { name: 'Refuse' }).click()
    await expect(cardForm(page).getByLabel('Card number')).toHaveAccessibleDescription(/unable to authenticate/)
    await expect(page, 'no secret stays in the address').toHaveURL('/account/subscriptions#holding-fee')
    await pay()
    await page.getByRole('button', { name: 'Confirm' }).click()
    await expect(page.getByText('Card added successfully')).toBeVisible()
    await expect(section.getByText('Visa ending in 3155')).toBeVisible()
    await expect(page).toHaveURL('/account/subscriptions#holding-fee')
    expectNoCard(sent())
  },
)

test('a double click sends a card once, and the form is disabled meanwhile', { tag: '@wide' }, async ({ page }) => {
  await ownAccount(page)
  let confirmed = 0
  const gate = Promise.withResolvers<void>()
  await page.route('**/v1/setup_intents/*/confirm', async (route) => {
    confirmed++
    await gate.promise
    await route.continue()
  })
  await page.goto('/account/subscriptions')
  await part(page, holdingFee).getByRole('button', { name: 'Add a card' }).click()
  await typeCard(cardForm(page), cards.good)
  const save = cardForm(page).getByRole('button', { name: 'Save card' })
  await save.dblclick()
  await expect(save).toBeDisabled()
  await expect.poll(() => confirmed).toBe(1)
  gate.resolve()
  await expect(page.getByText('Card added successfully')).toBeVisible()
  expect(confirmed).toBe(1)
})

test('a provider that does not answer is told under the card, and nothing typed is lost', { tag: '@phone' }, async ({ page }) => {
  await ownAccount(page)
  await page.route('**/v1/setup_intents/*/confirm', (route) => route.abort(), { times: 1 })
  await page.goto('/account/subscriptions')
  await part(page, holdingFee).getByRole('button', { name: 'Add a card' }).click()
  const form = cardForm(page)
  await typeCard(form, cards.good)
  await form.getByRole('button', { name: 'Save card' }).click()
  await expect(form.getByLabel('Card number')).toHaveAccessibleDescription(/Stripe does not answer/)
  await expect(form.getByLabel('Card number')).toHaveValue('4242 4242 4242 4242')
  await form.getByRole('button', { name: 'Save card' }).click()
  await expect(page.getByText('Card added successfully')).toBeVisible()
})

test('a card whose answer was lost is saved all the same when it is sent again', { tag: '@wide' }, async ({ page }) => {
  await ownAccount(page)
  await page.route(
    '**/v1/setup_intents/*/confirm',
    async (route) => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )
  await page.goto('/account/subscriptions')
  await part(page, holdingFee).getByRole('button', { name: 'Add a card' }).click()
  const form = cardForm(page)
  await typeCard(form, cards.good)
  await form.getByRole('button', { name: 'Save card' }).click()
  await expect(form.getByLabel('Card number')).toHaveAccessibleDescription(/Stripe does not answer/)
  await form.getByRole('button', { name: 'Save card' }).click()
  await expect(page.getByText('Card added successfully')).toBeVisible()
})

test('the cards are loading, failed, empty and filled', { tag: '@wide' }, async ({ page }) => {
  await ownAccount(page)
  const letGo = await holdFirst(page, '**/api/v1/stripe/holding-fee-payment-method')
  await page.goto('/account/subscriptions')
  const section = part(page, holdingFee)
  await expect(section.getByText('Loading the card…')).toBeAttached()
  letGo()
  await expect(section.getByText(/not answering/)).toBeVisible()
  await section.getByRole('button', { name: 'Try again' }).click()
  await expect(section.getByText('No card yet. Save one to bid.')).toBeVisible()
})
