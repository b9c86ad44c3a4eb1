import type { Page } from '@playwright/test'
import { countSessions, countUsers } from '#tests/browser/support/database.ts'
import { notAnswering } from '#tests/browser/support/payments.ts'
import { newEmail } from '#tests/browser/support/account.ts'
import { answerLate } from '#tests/browser/support/late-answer.ts'
import { expect, expectAccessible, linkInMail, pickAddress, suggestions, test } from '#tests/browser/support/visit.ts'
import { goodPassword } from '#tests/support/people.ts'

async function fillForm(page: Page, email: string): Promise<void> {
  await page.getByLabel('First name').fill('Jo')
  await page.getByLabel('Surname').fill('Smith')
  await page.getByLabel('Date of birth').fill('1985-05-20')
  await page.getByLabel('Contact number').fill('0161 496 0000')
  await page.getByLabel('Company name').fill('Smith Metals Ltd')
  await pickAddress(page, 'M1 4BT')
  await page.getByLabel('VAT number').fill('GB123456789')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(goodPassword)
  await page.getByLabel('Confirm password').fill(goodPassword)
  await page.getByRole('checkbox', { name: /terms/i }).check()
}

const send = (page: Page) => page.getByRole('button', { name: 'Sign up' }).click()

test('a merchant signs up, sees that a payment account is needed, and lands in onboarding', { tag: '@phone' }, async ({ page }) => {
  const email = newEmail()
  await page.goto('/register')
  await page.getByLabel('Business activity').selectOption({ label: 'Scrap metal dealer' })
  await fillForm(page, email)
  await page.getByLabel('Set address as default').check()
  await send(page)

  const dialog = page.getByRole('dialog', { name: 'Payment details' })
  await expect(dialog).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.mouse.click(4, 4)
  await expect(dialog, 'it cannot be dismissed').toBeVisible()
  await expect(page.getByLabel('First name'), 'the form is cleared').toHaveValue('')
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('')

  await page.route('**/api/v1/stripe/create-account-link', (route) => route.fulfill(notAnswering), { times: 1 })
  const onward = dialog.getByRole('link', { name: 'Continue to Stripe' })
  await onward.click()
  await expect(onward, 'a provider that does not answer is told, and asked again').toHaveAccessibleDescription(/not answering/)
  await expectAccessible(page)
  await onward.click()
  await expect(page.getByRole('heading', { name: 'Your payment account' })).toBeVisible()
  await page.getByRole('button', { name: 'Finish with test details' }).click()
  await expect(page).toHaveURL('/onboarding')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()

  const link = await linkInMail(page, email, '/verify-email')
  await page.goto(link)
  await expect(page.getByText('Your email address is confirmed.')).toBeVisible()
})

test('a sign-up that is answered too late is asked for again: one account, logged in', { tag: '@wide' }, async ({ page }) => {
  const email = newEmail()
  await page.goto('/register')
  await page.getByLabel('Business activity').selectOption({ label: 'Scrap metal dealer' })
  await fillForm(page, email)
  const { passTimeLimit, expectNoError } = await answerLate(page, '**/api/v1/auth/register/web')
  await send(page)
  await passTimeLimit()
  await expect(page.getByRole('dialog', { name: 'Payment details' })).toBeVisible()
  await expectNoError()
  expect([await countUsers(email), await countSessions(email)]).toEqual([1, 1])
})

test('a collector is told that the account is checked first, and is not logged in', { tag: '@wide' }, async ({ page }) => {
  await page.goto('/preregistration')
  await page.getByRole('link', { name: 'Scrap metal collector' }).click()
  await expect(page).toHaveURL(/\/register\?activity=scrap_metal_collector/)
  await fillForm(page, newEmail())
  await send(page)
  const dialog = page.getByRole('dialog', { name: 'We check your account first' })
  await expect(dialog).toBeVisible()
  await dialog.getByRole('link').click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Log in' })).toBeVisible()
})

test('an empty form says under each field what is missing, and goes to the first', { tag: '@wide' }, async ({ page }) => {
  await page.goto('/register')
  await send(page)
  for (const name of ['First name', 'Surname', 'Date of birth', 'Company name', 'Contact number', 'Email', 'VAT number']) {
    const field = page.getByLabel(name, { exact: true })
    await expect(field, name).toHaveAttribute('aria-invalid', 'true')
    await expect(field, name).toHaveAccessibleDescription(/.+/)
  }
  await expect(page.getByRole('combobox', { name: 'Company address' })).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByLabel('First name')).toBeFocused()
  await expectAccessible(page)
})

test("ticking 'Not VAT registered' disables the VAT number and lets the form through without it", { tag: '@wide' }, async ({ page }) => {
  await page.goto('/register')
  await page.getByLabel('Business activity').selectOption({ label: 'Builder' })
  await fillForm(page, newEmail())
  await page.getByLabel('VAT number').fill('')
  await page.getByLabel('Not VAT registered').check()
  await expect(page.getByLabel('VAT number')).toBeDisabled()
  await send(page)
  await expect(page.getByRole('dialog', { name: 'Payment details' })).toBeVisible()
})

test('the checklist follows the password as it is typed', { tag: '@wide' }, async ({ page }) => {
  await page.goto('/register')
  const points = page.getByRole('list', { name: 'Your password needs' }).getByRole('listitem')
  await expect(points).toHaveText([/At least 8 characters/, /1 uppercase letter/, /1 special character/, /1 number/, /1 lowercase letter/])
  const met = () => points.evaluateAll((rows) => rows.map((row) => row.dataset['met'] === 'true'))
  const password = page.getByLabel('Password', { exact: true })
  for (const [typed, expected] of [
    ['', [false, false, false, false, false]],
    ['abc', [false, false, false, false, true]],
    ['Abc1', [false, true, false, true, true]],
    ['Abcdefg1!', [true, true, true, true, true]],
  ] as const) {
    await password.fill(typed)
    await expect.poll(met).toEqual(expected)
  }
})

test('what the server refuses stands under its field, and nothing typed is lost', { tag: '@wide' }, async ({ page }) => {
  await page.goto('/register')
  await page.getByLabel('Business activity').selectOption({ label: 'Broker' })
  await fillForm(page, 'seller@yardbid.test')
  await page.getByLabel('VAT number').fill('GB12')
  await send(page)
  await expect(page.getByLabel('VAT number')).toHaveAccessibleDescription(/Enter a UK VAT number/)
  await page.getByLabel('VAT number').fill('GB123456789')
  await send(page)
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription(/already has an account/)
  await expect(page.getByLabel('Email')).toBeFocused()
  await expect(page.getByLabel('First name')).toHaveValue('Jo')
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue(goodPassword)
})

test("any refused part of the address shows 'Address is invalid'", { tag: '@wide' }, async ({ page }) => {
  await page.route('**/api/v1/location/street-details*', async (route) => {
    const response = await route.fetch()
    const { data } = (await response.json()) as { data: object }
    await route.fulfill({ json: { data: { ...data, latitude: 12 } } })
  })
  await page.goto('/register')
  await page.getByLabel('Business activity').selectOption({ label: 'Broker' })
  await fillForm(page, newEmail())
  await send(page)
  await expect(page.getByRole('combobox', { name: 'Company address' })).toHaveAccessibleDescription(/Address is invalid/)
})

test('a half-filled form survives a reload, but for its passwords', { tag: '@phone' }, async ({ page }) => {
  await page.goto('/register')
  await page.getByLabel('First name').fill('Jo')
  await pickAddress(page, 'M1 4BT')
  await page.getByLabel('Password', { exact: true }).fill(goodPassword)
  await page.reload()
  await expect(page.getByLabel('First name')).toHaveValue('Jo')
  await expect(page.getByRole('combobox', { name: 'Company address' })).toHaveValue(/M1 4BT/)
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('')
  const stored = await page.evaluate(() => JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]))
  expect(stored).not.toContain(goodPassword)
})

test('a double click signs up once', { tag: '@wide' }, async ({ page }) => {
  const email = newEmail()
  let calls = 0
  await page.route('**/api/v1/auth/register/web', (route) => (calls++, route.continue()))
  await page.goto('/register')
  await page.getByLabel('Business activity').selectOption({ label: 'Broker' })
  await fillForm(page, email)
  await page.getByRole('button', { name: 'Sign up' }).dblclick()
  await expect(page.getByRole('dialog', { name: 'Payment details' })).toBeVisible()
  expect(calls).toBe(1)
  expect(await countUsers(email)).toBe(1)
})

test('the address lookup says when it found nothing and when it failed, and can be tried again', { tag: '@wide' }, async ({ page }) => {
  await page.goto('/register')
  const address = page.getByRole('combobox', { name: 'Company address' })
  await address.fill('ZZ99 9ZZ')
  await expect(page.getByText('No UK address found.')).toBeVisible()
  await page.route(
    '**/api/v1/location/post-code*',
    (route) =>
      route.fulfill({
        status: 503,
        json: { message: 'The address lookup does not answer. Please try again in a moment.', code: 'unavailable' },
      }),
    { times: 1 },
  )
  await address.fill('S9 3TY')
  await expect(page.getByText('The address lookup does not answer.')).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(suggestions(page).first()).toBeVisible()
})

test('an address can be given by hand, its postcode put on the map by the server', { tag: '@phone' }, async ({ page }) => {
  await page.goto('/register')
  await page.getByRole('button', { name: 'Enter address by hand' }).click()
  await page.getByLabel('Address line 1').fill('The Crane Shed')
  await page.getByLabel('Town').fill('Sheffield')
  await page.getByLabel('Postcode').fill('S9 3TY')
  await expect(page.getByText('Address found')).toBeVisible()
  await page.getByLabel('Postcode').fill('ZZ1 1ZZ')
  await expect(page.getByLabel('Address line 1')).toHaveAccessibleDescription('Address is invalid')
  await page.getByLabel('Postcode').fill('S9 3TY')
  await expect(page.getByText('Address found')).toBeVisible()
})
