import type { Page } from '@playwright/test'
import { completePaymentAccount, setStage, stageOf } from '#tests/browser/support/database.ts'
import { subscribe } from '#tests/browser/support/provider.ts'
import { part } from '#tests/browser/support/payments.ts'
import { licencePhoto, picked, pickFiles, uploadButton } from '#tests/browser/support/papers.ts'
import { ownAccount } from '#tests/browser/support/account.ts'
import { expect, expectAccessible, expectLoaded, suggestions, test } from '#tests/browser/support/visit.ts'

const heading = (page: Page, name: string | RegExp) => expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const titles = ['Your business', 'Get paid', 'How will Yardbid benefit you?', 'Subscription', 'Scrap dealer license']

async function begin(page: Page, stage: number | null = 0): Promise<string> {
  const email = await ownAccount(page, { isOnboarded: false })
  if (stage !== 0) await setStage(email, stage)
  await page.goto('/onboarding')
  return email
}

test('a merchant goes through the five stages and lands on the dashboard', async ({ page }) => {
  const email = await begin(page)
  await heading(page, 'Your business')
  const form = page.getByRole('form', { name: 'Your business' })
  await expect(form.getByLabel('Scrap metal dealer'), 'what was said at sign-up').toBeChecked()
  await form.getByLabel('Skip hire').check()
  await form.getByLabel('Main activity').selectOption({ label: 'Skip hire' })
  await form.getByLabel('Company number').fill('SC123456')
  await form.getByLabel('Scrap dealer licence number').fill('SMD/77')
  await button(page, 'Save and continue').click()

  await heading(page, 'Get paid')
  await button(page, 'Do this later').click()

  await heading(page, 'How will Yardbid benefit you?')
  for (const benefit of ['Buy and sell scrap', 'Increase outreach to more merchants', 'Find tradesperson deals'])
    await expect(page.getByRole('main').getByRole('heading', { name: benefit })).toBeVisible()
  await button(page, 'Subscribe').click()

  await heading(page, 'Subscription')
  expect(await stageOf(email)).toBe(3)
  await page.getByRole('main').getByRole('button', { name: /skip/i }).click()

  await heading(page, 'Scrap dealer license')
  await expect(page.getByText('This document is only required for those buying on the platform.')).toBeVisible()
  await pickFiles(page, await licencePhoto())
  await expect(picked(page).getByRole('img', { name: 'Preview of licence.png' })).toBeVisible()
  await expect(page.getByLabel('Number (optional)'), 'what was said in the first stage').toHaveValue('SMD/77')
  await completePaymentAccount(email)
  await uploadButton(page).click()
  await expect(page.getByText('Successfully updated documents')).toBeVisible()
  await expect(page).toHaveURL('/')
  expect(await stageOf(email)).toBe(null)
})

test('each stage is entered where the server says; nothing for axe to find, no sideways scrolling', async ({ page }) => {
  test.slow()
  const email = await ownAccount(page, { isOnboarded: false })
  for (const [stage, title] of titles.entries())
    await test.step(title, async () => {
      await setStage(email, stage)
      await page.goto('/onboarding')
      await heading(page, title)
      await expect(page.getByText(`Stage ${stage + 1} of 5`)).toBeVisible()
      await expect(page.getByRole('list', { name: 'Stages' }).locator('[aria-current=step]')).toHaveCount(1)
      await expectLoaded(page)
      expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBeLessThanOrEqual(0)
      await expectAccessible(page)
    })
})

test(
  'what was typed in the first stage survives a reload and a refusal, and a wrong number is told under its field',
  { tag: '@phone' },
  async ({ page }) => {
    await begin(page)
    await page.getByLabel('Broker').check()
    await page.getByLabel('Company number').fill('12')
    await button(page, 'Add a site').click()
    await page.getByLabel('Name', { exact: true }).fill('Main yard')
    await page.reload()
    await expect(page.getByLabel('Broker')).toBeChecked()
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Main yard')

    await button(page, 'Save and continue').click()
    await expect(page.getByRole('combobox', { name: 'Address' })).toHaveAccessibleDescription(/Address is required/)
    await page.getByRole('combobox', { name: 'Address' }).fill('LS9 0DJ')
    await suggestions(page).first().click()
    await expect(page.getByText('Address found')).toBeVisible()
    await button(page, 'Save and continue').click()
    await expect(page.getByLabel('Company number')).toHaveAccessibleDescription(/Companies House/)
    await expect(page.getByLabel('Company number')).toBeFocused()
    await expectAccessible(page)
    await page.getByLabel('Company number').fill('1234567')
    await button(page, 'Save and continue').click()
    await heading(page, 'Get paid')

    await button(page, 'Back to Your business').click()
    await expect(page.getByLabel('Company number')).toHaveValue('01234567')
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Main yard')
  },
)

test('no activity at all is told before anything is sent', { tag: '@wide' }, async ({ page }) => {
  await begin(page)
  await page.getByLabel('Scrap metal dealer').uncheck()
  await button(page, 'Save and continue').click()
  await expect(page.getByText('Choose at least one activity')).toBeVisible()
  await heading(page, 'Your business')
})

test('Skip at the benefits tells the server; without a payment account the page says what is missing', async ({ page }) => {
  const email = await begin(page, 2)
  await button(page, 'Skip').click()
  await heading(page, 'One thing is missing')
  await expect(page.getByText(/payment account is not complete yet/)).toBeVisible()
  expect(await stageOf(email)).toBe(null)
  await expectAccessible(page)
  await page.goto('/')
  await expect(page).toHaveURL('/onboarding')
  await heading(page, 'One thing is missing')

  await page
    .getByRole('main')
    .getByRole('button', { name: /Scrap dealer license/ })
    .click()
  await heading(page, 'Scrap dealer license')
  await completePaymentAccount(email)
  await button(page, 'Skip').click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
})

test('with a payment account Skip at the benefits leads to the dashboard', { tag: '@phone' }, async ({ page }) => {
  const email = await begin(page, 2)
  await completePaymentAccount(email)
  await button(page, 'Skip').click()
  await expect(page).toHaveURL('/')
})

test('the back arrow of the licence returns to the benefits, and the focus stands at the heading', { tag: '@phone' }, async ({ page }) => {
  const email = await begin(page, 4)
  await button(page, 'Back to Benefits').click()
  await heading(page, 'How will Yardbid benefit you?')
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  expect(await stageOf(email)).toBe(2)
})

test('on a wide screen a stage that lies behind is opened from the list', { tag: '@wide' }, async ({ page }) => {
  await begin(page, 3)
  await page
    .getByRole('list', { name: 'Stages' })
    .getByRole('button', { name: /Your business/ })
    .click()
  await heading(page, 'Your business')
})

test(
  'what is picked for the licence survives a reload; nothing picked is refused with the words of the specification',
  { tag: '@phone' },
  async ({ page }) => {
    await begin(page, 4)
    await uploadButton(page).click()
    await expect(page.getByText('File upload needs at least one and up to 5 files')).toBeVisible()
    await pickFiles(page, await licencePhoto())
    await page.getByLabel('Number (optional)').fill('SMD/1')
    await page.reload()
    await expect(picked(page)).toHaveCount(1)
    await expect(page.getByLabel('Number (optional)')).toHaveValue('SMD/1')
  },
)

test('a move that fails leaves the stage as it is, and can be tried again', { tag: '@wide' }, async ({ page }) => {
  await begin(page, 1)
  await page.route('**/api/v1/auth/onboard-user', (route) => route.abort(), { times: 1 })
  await button(page, 'Do this later').click()
  await expect(page.getByText(/cannot be reached/)).toBeVisible()
  await heading(page, 'Get paid')
  await button(page, 'Try again').click()
  await heading(page, 'How will Yardbid benefit you?')
})

test(
  'a subscriber without a payment account reaches the account, cancels there, and may delete it',
  { tag: '@phone' },
  async ({ page }) => {
    const email = await ownAccount(page, { isOnboarded: false })
    await setStage(email, null)
    await subscribe(email)
    await page.goto('/onboarding')
    await heading(page, 'One thing is missing')
    await page.getByRole('banner').getByRole('link', { name: 'Your account' }).click()
    await expect(page).toHaveURL('/account/view-edit')
    await expect(page.getByRole('main').getByRole('link', { name: 'Finish setting up' })).toBeVisible()
    const plan = part(page, 'Your plan')
    await expect(plan.getByText('Free trial')).toBeVisible()
    await expectAccessible(page)
    await plan.getByRole('button', { name: 'Cancel subscription' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Yes, cancel' }).click()
    await expect(page.getByText('Your subscription cancelled successful')).toBeVisible()
    await expect(plan.getByText('Cancelled', { exact: true })).toBeVisible()
    await expect(button(page, 'Delete account')).toBeVisible()
    for (const path of ['/account/merchant-documents', '/account/change-password', '/account/material-preferences']) {
      await page.goto(path)
      await expect(page, path).toHaveURL(path)
      await expect(page.getByRole('main').getByRole('link', { name: 'Finish setting up' }), path).toBeVisible()
    }
  },
)
