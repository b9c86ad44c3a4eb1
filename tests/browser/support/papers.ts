import type { Page } from '@playwright/test'
import { expect } from '#tests/browser/support/visit.ts'
import { docx, pdf, png } from '#tests/support/files/made-files.ts'

// Merchant documents, as their owner hands them in.

export const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

export const licencePhoto = async (name = 'licence.png') => ({ name, mimeType: 'image/png', buffer: await png(640, 480) })
export const licencePdf = (name = 'licence.pdf') => ({ name, mimeType: 'application/pdf', buffer: pdf() })
export const licenceWord = (name = 'licence.docx') => ({ name, mimeType: DOCX, buffer: docx() })

export const filePicker = (page: Page) => page.locator('input[type=file]').and(page.getByLabel('Scrap merchant documents'))
export const picked = (page: Page) => page.getByRole('list', { name: 'Scrap merchant documents' }).getByRole('listitem')
export const saved = (page: Page) => page.getByRole('list', { name: 'Your documents' }).getByRole('listitem')
export const uploadButton = (page: Page) => page.getByRole('button', { name: 'Upload', exact: true })

export async function pickFiles(page: Page, ...files: { name: string; mimeType: string; buffer: Buffer }[]): Promise<void> {
  await filePicker(page).setInputFiles(files)
  // each is checked in a thread of its own, which takes its time on a busy machine
  for (const { name } of files) await expect(page.getByRole('group', { name: `About ${name}` })).toBeVisible()
}
