import { buffer } from 'node:stream/consumers'
import type { Page } from '@playwright/test'
import { writeRecords } from '#server/features/papers/public.ts'
import { connected, sessionOf } from '#tests/browser/support/database.ts'
import { filePicker, licencePdf, licencePhoto, licenceWord, picked, pickFiles, saved, uploadButton } from '#tests/browser/support/papers.ts'
import { post, withCsrf } from '#tests/browser/support/session.ts'
import { ownAccount } from '#tests/browser/support/account.ts'
import { expect, expectAccessible, test } from '#tests/browser/support/visit.ts'
import { newMerchant } from '#tests/support/auctions/auction.ts'
import { soldTo } from '#tests/support/auctions/sold.ts'
import { gif } from '#tests/support/files/made-files.ts'

async function open(page: Page): Promise<void> {
  await ownAccount(page)
  await page.goto('/account/merchant-documents')
  await expect(page.getByText('No licence yet')).toBeVisible()
}

/** What an admin does to the newest of somebody's documents of that kind. */
async function review(page: Page, kind: string, act: 'approve' | 'reject', body: object): Promise<void> {
  const { data } = (await (await page.request.get('/api/v1/auth/merchant-documents')).json()) as { data: { id: string; kind: string }[] }
  const id = data.findLast((document) => document.kind === kind)?.id
  const { status } = await post(`/api/v1/admin/documents/${id}/${act}`, await withCsrf(await sessionOf('admin@yardbid.test')), body)
  expect(status).toBe(200)
}

test('documents are uploaded with a preview, listed with their status in words, replaced and removed', async ({ page }) => {
  await open(page)
  await pickFiles(page, await licencePhoto(), licencePdf('carrier.pdf'), licenceWord('insurance.docx'))
  await expect(page.getByRole('img', { name: 'Preview of licence.png' })).toBeVisible()
  const carrier = page.getByRole('group', { name: 'About carrier.pdf' })
  await carrier.getByLabel('What it is').selectOption({ label: 'Waste carrier registration' })
  await carrier.getByLabel('Number (optional)').fill('CBDU123456')
  await page.getByRole('group', { name: 'About insurance.docx' }).getByLabel('What it is').selectOption({ label: 'Other document' })
  await expectAccessible(page)
  await uploadButton(page).click()
  await expect(page.getByText('Successfully updated documents')).toBeVisible()
  await expect(picked(page)).toHaveCount(0)
  await expect(saved(page)).toHaveCount(3)
  await expect(saved(page).getByText('Being checked')).toHaveCount(3)
  await expect(page.getByText('We are checking your licence')).toBeVisible()

  await review(page, 'scrap_dealer_licence', 'approve', { expires_at: '2035-03-31' })
  await review(page, 'other', 'reject', { reason: 'The second page is missing.' })
  await page.reload()
  await expect(saved(page).getByText('Approved until 31 March 2035')).toBeVisible()
  await expect(saved(page).getByText('Rejected: The second page is missing.')).toBeVisible()
  await expect(page.getByText('It is valid until 31 March 2035.')).toBeVisible()
  await expectAccessible(page)

  await page.getByLabel('Replace insurance.docx').setInputFiles(licencePdf('insurance-whole.pdf'))
  await expect(saved(page).getByRole('link', { name: 'insurance-whole.pdf' })).toBeVisible()
  await expect(saved(page)).toHaveCount(3)
  await expect(saved(page).filter({ hasText: 'insurance-whole.pdf' }).getByText('Being checked')).toBeVisible()

  await page.getByRole('button', { name: 'Remove carrier.pdf' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Are you sure?' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(saved(page)).toHaveCount(3)
  await page.getByRole('button', { name: 'Remove carrier.pdf' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(saved(page)).toHaveCount(2)
  await page.reload()
  await expect(saved(page)).toHaveCount(2)
})

test('six files are refused, and so is a sixth beside five, with the words of the specification', { tag: '@phone' }, async ({ page }) => {
  const refusal = page.getByText('File upload needs at least one and up to 5 files')
  const files = (count: number) => Array.from({ length: count }, (_, nth) => licencePdf(`paper-${nth + 1}.pdf`))
  await open(page)
  await filePicker(page).setInputFiles(files(6))
  await expect(refusal).toBeVisible()
  await expect(picked(page)).toHaveCount(0)
  await page.getByRole('button', { name: /dismiss/i }).click()

  await pickFiles(page, ...files(3))
  await uploadButton(page).click()
  await expect(saved(page)).toHaveCount(3)
  await filePicker(page).setInputFiles(files(3))
  await expect(refusal, 'those that are saved count').toBeVisible()
  await expect(picked(page)).toHaveCount(0)
})

test('a type that is not accepted is told, and the others go on', { tag: '@wide' }, async ({ page }) => {
  await open(page)
  await filePicker(page).setInputFiles([{ name: 'load.gif', mimeType: 'image/gif', buffer: await gif() }, licencePdf()])
  await expect(page.getByText('load.gif was not uploaded')).toBeVisible()
  await expect(picked(page)).toHaveCount(1)
})

test('an end that is over is told under its field, and nothing is lost', { tag: '@phone' }, async ({ page }) => {
  await open(page)
  await pickFiles(page, licencePdf('first.pdf'), licencePdf('second.pdf'))
  const second = page.getByRole('group', { name: 'About second.pdf' })
  await second.getByLabel('Expires on (optional)').fill('2020-01-01')
  await uploadButton(page).click()
  await expect(second.getByLabel('Expires on (optional)')).toHaveAccessibleDescription(/has expired/)
  await expect(second.getByLabel('Expires on (optional)')).toBeFocused()
  await page.getByRole('button', { name: 'Remove first.pdf' }).click()
  await expect(picked(page)).toHaveCount(1)
  await second.getByLabel('Expires on (optional)').fill('2035-01-01')
  await uploadButton(page).click()
  await expect(saved(page)).toHaveCount(1)
  await expect(saved(page).getByRole('link', { name: 'second.pdf' })).toBeVisible()
})

test('the link of a document opens it for its owner alone', { tag: '@wide' }, async ({ page, playwright, baseURL }) => {
  await open(page)
  await pickFiles(page, await licencePhoto())
  await uploadButton(page).click()
  const link = await saved(page).getByRole('link', { name: 'licence.png' }).getAttribute('href')
  expect((await page.request.get(link ?? '')).status()).toBe(200)
  const visitor = await playwright.request.newContext({ baseURL: baseURL ?? '' })
  expect((await visitor.get(link ?? '')).status()).toBe(404)
  await visitor.dispose()
})

/** Bought scrap that changed hands: one receipt of copper from Smith & Sons, one of lead from Lead Works. */
const boughtScrap = (email: string) =>
  connected(async (client) => {
    const { rows } = await client.query<{ id: string }>('select id from users where email = $1', [email])
    const buyer = rows[0]?.id ?? ''
    for (const [company_name, material_id, day] of [
      ['Smith & Sons', 'copper_bright', '2026-06-01'],
      ['Lead Works', 'lead', '2026-07-01'],
    ]) {
      const seller = await newMerchant(client, { company_name })
      const { awardId } = await soldTo(client, { seller, buyer, listing: { material_id } })
      await writeRecords(client, awardId, 'receipt', new Date(`${day}T12:00:00Z`))
    }
  })

test('records of scrap that changed hands are listed, filtered, and saved as PDF and CSV', async ({ page }) => {
  const email = await ownAccount(page)
  await page.goto('/account/merchant-documents#records')
  await expect(page.getByRole('heading', { name: 'No records yet' })).toBeVisible()
  await expectAccessible(page)

  await boughtScrap(email)
  await page.reload()
  const table = page.getByRole('table', { name: 'Scrap metal records' })
  await expect(table.getByRole('row')).toHaveCount(3)
  await expect(table.getByRole('row').nth(1)).toContainText('Lead')
  await expect(table.getByRole('row').nth(2)).toContainText('12.4 t')
  await expectAccessible(page)

  const pdf = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download the record of Bright copper wire, 1 Jun 2026' }).click()
  expect((await pdf).suggestedFilename()).toBe('receipt-2026-06-01.pdf')

  await page.getByLabel('Name of the other party').fill('smith')
  await page.getByRole('button', { name: 'Filter' }).click()
  await expect(table.getByRole('row')).toHaveCount(2)
  const csv = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download these as CSV' }).click()
  const lines = (await buffer(await (await csv).createReadStream())).toString().trimEnd().split('\r\n')
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain('Smith & Sons')

  await page.getByLabel('Kind').selectOption({ label: 'Disposed of' })
  await page.getByRole('button', { name: 'Filter' }).click()
  await expect(page.getByText('No record matches.')).toBeVisible()
  await page.getByRole('button', { name: 'Clear' }).click()
  await expect(table.getByRole('row')).toHaveCount(3)

  await page.route('**/api/v1/records?*', (route) => route.abort())
  await page.reload()
  await expect(page.locator('#records').getByRole('button', { name: 'Try again' })).toBeVisible()
  await page.unroute('**/api/v1/records?*')
  await page.locator('#records').getByRole('button', { name: 'Try again' }).click()
  await expect(table.getByRole('row')).toHaveCount(3)
})
