import { Worker } from 'node:worker_threads'
import type { FileType } from '#contract/storage.ts'
import { Unacceptable } from '#server/features/storage/checks/unacceptable.ts'

const WITHIN_MS = 10_000
// a busy machine takes seconds to start a thread, which is not the document's fault
const START_WITHIN_MS = 60_000
// one that rests holds the last document's bytes until it ends
const REST_MS = 60_000

/** Starting a thread takes 300 ms of a processor's time, checking a document a few: the next one finds a thread that rests. */
const resting = new Map<Worker, NodeJS.Timeout>()

/**
 * Refuses a document of another type than declared, or with active content. Checked in a worker thread: parsing 20 MB of untrusted
 * text must neither block bids nor crash the process. A thread that failed or timed out is not used again.
 */
export async function inspectDocument(bytes: Buffer, type: FileType): Promise<void> {
  const worker = await takeThread()
  let reason: string | null
  try {
    reason = await ask(worker, { bytes, type })
    rest(worker)
  } catch {
    await worker.terminate()
    // out of memory or out of time: whatever it is, it is not a document that anybody can use
    reason = 'This document could not be read. Save it as a PDF and try again.'
  }
  if (reason !== null) throw new Unacceptable(reason)
}

async function takeThread(): Promise<Worker> {
  const [rested] = resting
  if (!rested) return startThread()
  const [worker, end] = rested
  clearTimeout(end)
  resting.delete(worker)
  return worker
}

/** Resolves when the thread has loaded its code and waits for a document. */
async function startThread(): Promise<Worker> {
  const worker = new Worker(new URL('document-worker.ts', import.meta.url), { resourceLimits: { maxOldGenerationSizeMb: 256 }, env: {} })
  // whoever waits for its answer hears of a fault; after that nobody has to
  worker.on('error', () => {}).on('exit', () => void resting.delete(worker))
  await nextMessage(worker, START_WITHIN_MS)
  return worker
}

/** What is wrong with the document, or null. */
async function ask(worker: Worker, document: { bytes: Buffer; type: FileType }): Promise<string | null> {
  worker.postMessage(document)
  return nextMessage<string | null>(worker, WITHIN_MS)
}

async function nextMessage<Message>(worker: Worker, withinMs: number): Promise<Message> {
  const { promise, resolve, reject } = Promise.withResolvers<Message>()
  const end = () => reject(new Error('the document check ended without a word'))
  const timer = setTimeout(() => reject(new Error('the document check took too long')), withinMs)
  worker.on('message', resolve).on('error', reject).on('exit', end).ref()
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    worker.off('message', resolve).off('error', reject).off('exit', end)
  }
}

/** A process that has nothing else to do does not wait for it. */
function rest(worker: Worker): void {
  worker.unref()
  const end = () => {
    resting.delete(worker)
    void worker.terminate()
  }
  resting.set(worker, setTimeout(end, REST_MS).unref())
}
