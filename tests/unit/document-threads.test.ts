import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FileType } from '#contract/storage.ts'
import { inspectDocument } from '#server/features/storage/checks/inspect-document.ts'
import { docx, pdf } from '#tests/support/files/made-files.ts'

const PDF = 'application/pdf'
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

test('documents are checked one after the other and several at once, each for itself', async () => {
  await inspectDocument(pdf(), PDF)
  const answers = await Promise.allSettled([
    inspectDocument(pdf(), PDF),
    inspectDocument(Buffer.from('no PDF'), PDF),
    inspectDocument(docx(), DOCX),
    inspectDocument(pdf(), DOCX),
  ])
  assert.deepEqual(
    answers.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'rejected'],
  )
  await inspectDocument(docx(), DOCX)
})

test('a document at which the check itself breaks is refused, and the next one is checked', async () => {
  await assert.rejects(inspectDocument(pdf(), 'a type that nobody knows' as FileType), /could not be read/)
  await inspectDocument(pdf(), PDF)
})
