import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import type { FileType } from '#contract/storage.ts'
import { inspectDocument } from '#server/features/storage/checks/inspect-document.ts'
import { docx, pdf } from '#tests/support/files/made-files.ts'

// Starting a thread costs more than checking a document: what is counted is how many threads the process starts.

const PDF = 'application/pdf'
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

/** Four documents at once, two of which are not what they say. */
async function checkFourAtOnce(): Promise<void> {
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
}

/** Each thread of a process is numbered one higher than the one before it. */
async function newestThread(): Promise<number> {
  const probe = new Worker('', { eval: true })
  const { threadId } = probe
  await once(probe, 'exit')
  return threadId
}

async function threadsStartedBy(act: () => Promise<void>): Promise<number> {
  const before = await newestThread()
  await act()
  return (await newestThread()) - before - 1
}

test('22: the time limit of a check does not count the start of its thread', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const checked = inspectDocument(pdf(), PDF)
  await new Promise((resolve) => setImmediate(resolve))
  t.mock.timers.tick(20_000)
  await checked
  // the thread has rested, and ends: the next test starts with none
  t.mock.timers.tick(60_000)
})

test('documents one after the other are checked by one thread', async () => {
  const started = await threadsStartedBy(async () => {
    for (let nth = 0; nth < 3; nth++) await inspectDocument(pdf(), PDF)
    await assert.rejects(inspectDocument(Buffer.from('no PDF'), PDF), /damaged/)
    await inspectDocument(docx(), DOCX)
  })
  assert.equal(started, 1)
})

test('documents at once are checked by a thread each, which then rest and check the next', async () => {
  assert.equal(await threadsStartedBy(checkFourAtOnce), 3, 'one rests from before')
  assert.equal(await threadsStartedBy(checkFourAtOnce), 0)
})

test('a document at which the check itself breaks is refused, and its thread checks nothing more', async () => {
  const unknown = 'a type that nobody knows' as FileType
  assert.equal(await threadsStartedBy(() => assert.rejects(inspectDocument(pdf(), unknown), /could not be read/)), 0)
  assert.equal(await threadsStartedBy(checkFourAtOnce), 1, 'three rest from before')
})
