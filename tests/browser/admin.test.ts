import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { ownAccount } from '#tests/browser/support/account.ts'
import { asOwner } from '#tests/browser/support/database.ts'
import { licencePdf, licencePhoto, pickFiles, saved, uploadButton } from '#tests/browser/support/papers.ts'
import { logIn } from '#tests/browser/support/session.ts'
import { expect, expectAccessible, expectLoaded, test } from '#tests/browser/support/visit.ts'

type Licence = { number: string; path: string }

/** A merchant of this test's own uploads a licence for each file. They have waited longer than all others, and stand on the first page. */
async function uploadLicences(page: Page, ...files: Parameters<typeof pickFiles>[1][]): Promise<{ email: string; licences: Licence[] }> {
  const email = await ownAccount(page)
  await page.goto('/account/merchant-documents')
  await pickFiles(page, ...files)
  const numbers = files.map(() => `SMD-${randomBytes(5).toString('hex')}`)
  for (const [nth, { name }] of files.entries()) {
    const about = page.getByRole('group', { name: `About ${name}` })
    await about.getByLabel('Number (optional)').fill(numbers[nth] ?? '')
    await about.getByLabel('Issued by (optional)').fill('Leeds City Council')
    await about.getByLabel('Expires on (optional)').fill('2035-01-31')
  }
  await uploadButton(page).click()
  await expect(saved(page)).toHaveCount(files.length)
  const { rows } = await asOwner(
    `update merchant_documents set submitted_at = submitted_at - interval '30 days' where number = any($1) returning id, number`,
    [numbers],
  )
  const pathOf = (number: string) => `/admin/documents/${rows.find((row) => row.number === number)?.id}`
  return { email, licences: numbers.map((number) => ({ number, path: pathOf(number) })) }
}

async function oneLicence(page: Page): Promise<Licence> {
  const { licences } = await uploadLicences(page, licencePdf())
  return licences[0]!
}

const approveButton = (page: Page) => page.getByRole('button', { name: 'Approve' })
const rejectButton = (page: Page) => page.getByRole('button', { name: 'Reject' })
const entries = (page: Page) => page.getByRole('list', { name: 'Audit log' }).getByRole('listitem')

test('an admin approves one licence and rejects another, and both stand in the audit log', async ({ page }) => {
  const { email, licences } = await uploadLicences(page, await licencePhoto(), licencePdf())
  const [good, bad] = licences as [Licence, Licence]
  await logIn(page, 'admin@yardbid.test')
  await page.goto('/')
  await page.getByRole('banner').getByRole('link', { name: 'Back office' }).click()
  await expect(page).toHaveTitle('Desk · Back office · Yardbid')
  await expectLoaded(page)
  await expectAccessible(page)

  await page.getByRole('link', { name: /Documents to check/ }).click()
  await expect(page.getByRole('list', { name: 'Documents, waiting' }).getByText(good.number)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: new RegExp(good.number) }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Scrap dealer licence of /)
  await expect(page.getByRole('row', { name: /Issued by/ })).toContainText('Leeds City Council')
  await expect(page.getByRole('img', { name: 'The document licence.png' })).toBeVisible()
  await expectAccessible(page)

  // the one by keyboard, the other by pointer
  await expect(page.getByLabel('Valid until')).toHaveValue('2035-01-31')
  await page.getByLabel('Valid until').fill('2020-01-01')
  await page.getByLabel('Valid until').press('Enter')
  await expect(page.getByLabel('Valid until')).toHaveAccessibleDescription(/This day is over/)
  await page.getByLabel('Valid until').fill('2034-06-30')
  await page.getByLabel('Valid until').press('Enter')
  await expect(page.locator(':focus')).toContainText('Scrap dealer licence approved until 30 June 2034')
  await expectAccessible(page)

  await page.goto(bad.path)
  await expect(page.getByRole('link', { name: 'Open the file in a new tab' })).toBeVisible()
  await rejectButton(page).click()
  await expect(page.getByLabel('Reason')).toHaveAccessibleDescription(/Say why/)
  await expect(page.getByLabel('Reason')).toBeFocused()
  await page.getByLabel('Reason').fill('The photo is blurred.')
  await rejectButton(page).click()
  await expect(page.getByRole('status').filter({ hasText: 'Scrap dealer licence rejected' })).toContainText('The photo is blurred.')
  await page.getByRole('link', { name: 'Documents that wait' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Documents' })).toBeVisible()
  await page.getByRole('link', { name: 'Rejected' }).click()
  await expect(page.getByRole('link', { name: new RegExp(bad.number) })).toContainText('The photo is blurred.')

  await page.goto(`/admin/audit?about=${encodeURIComponent(email)}`)
  await expect(page.getByLabel('About (email)')).toHaveValue(email)
  await expect(entries(page).filter({ hasText: 'see-document' }).first()).toBeVisible()
  await page.getByLabel('Kind').selectOption({ label: 'Acts' })
  await page.getByRole('button', { name: 'Filter' }).click()
  await expect(page).toHaveURL(/kind=act/)
  await expect(entries(page)).toHaveCount(2)
  for (const [act, { number }, says] of [
    ['approve-document', good, '2034'],
    ['reject-document', bad, 'The photo is blurred.'],
  ] as const) {
    const entry = entries(page).filter({ hasText: act })
    await expect(entry).toContainText('admin@yardbid.test')
    await entry.getByText('Details').click()
    await expect(entry).toContainText(number)
    await expect(entry).toContainText(says)
  }
  await expectAccessible(page)

  const file = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download these as CSV' }).click()
  expect((await file).suggestedFilename()).toMatch(/^yardbid-audit-[\d-]+\.csv$/)

  await page.getByLabel('What').fill('no-such-act')
  await page.getByRole('button', { name: 'Filter' }).click()
  await expect(page.getByRole('heading', { name: 'No entry matches' })).toBeVisible()
  await page.getByRole('button', { name: 'Clear' }).click()
  await expect(page).toHaveURL(/\/admin\/audit$/)
  await expect(entries(page).first()).toBeVisible()
})

test('an admin whom another one overtakes is told, and sees that decision', { tag: '@wide' }, async ({ page, browser, baseURL }) => {
  const { path } = await oneLicence(page)
  await logIn(page, 'admin@yardbid.test')
  await page.goto(path)
  await expect(approveButton(page)).toBeVisible()

  const other = await browser.newPage({ baseURL: baseURL ?? '' })
  await logIn(other, 'admin2@yardbid.test')
  await other.goto(path)
  await other.getByLabel('Reason').fill('The number is not in the register.')
  await rejectButton(other).click()
  await expect(other.getByText('Scrap dealer licence rejected')).toBeVisible()
  await other.close()

  await approveButton(page).click()
  const outcome = page.getByRole('status').filter({ hasText: 'Another admin decided first' })
  await expect(outcome).toContainText('The number is not in the register.')
  await expect(outcome).toBeFocused()
  await expect(approveButton(page)).toHaveCount(0)
})

test('support sees a document and reads why the buttons are missing', { tag: '@phone' }, async ({ page }) => {
  const { path, number } = await oneLicence(page)
  await logIn(page, 'support@yardbid.test')
  await page.goto(path)
  await expect(page.getByRole('row', { name: /Number/ })).toContainText(number)
  await expect(page.getByText('Only an admin can approve or reject it')).toBeVisible()
  await expect(approveButton(page)).toHaveCount(0)
  await expect(rejectButton(page)).toHaveCount(0)
  await expectAccessible(page)
})

test('a list, a document and the log that cannot be loaded say so and can be asked for again', { tag: '@wide' }, async ({ page }) => {
  const { path, number } = await oneLicence(page)
  await logIn(page, 'admin@yardbid.test')
  for (const [place, seen] of [
    ['/admin', 'Documents to check'],
    ['/admin/documents', number],
    [path, number],
    ['/admin/audit', 'Details'],
  ] as const) {
    await page.route('**/api/v1/admin/**', (route) => route.abort())
    await page.goto(place)
    const again = page.getByRole('button', { name: 'Try again' })
    await expect(again, place).toBeVisible()
    await page.unroute('**/api/v1/admin/**')
    await again.click()
    await expect(page.getByRole('main').getByText(seen).first(), place).toBeVisible()
  }
  await page.goto('/admin/documents/00000000-0000-4000-8000-000000000000')
  await expect(page.getByRole('heading', { name: 'This document is gone' })).toBeVisible()
})

test('for a member without a role there is no back office', async ({ page }) => {
  await ownAccount(page)
  for (const path of ['/admin', '/admin/documents', '/admin/audit', '/admin/documents/1']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 }), path).toHaveText('There is no such page')
    await expect(page, path).toHaveTitle('Page not found · Yardbid')
    // the part of the top bar that would have the link is there
    await expect(page.getByRole('banner').getByLabel(/^Notifications/)).toBeVisible()
    await expect(page.getByRole('link', { name: 'Back office' })).toHaveCount(0)
  }
  await expectAccessible(page)
})
