import { Worker } from 'node:worker_threads'
import type { FileType } from '#contract/storage.ts'
import { Unacceptable } from '#server/features/storage/unacceptable.ts'

const WITHIN_MS = 10_000

/**
 * Refuses a document that is not what it says or that does something by itself. In a thread of its own: 20 MB of somebody
 * else's text must neither hold up bids nor take the process along.
 */
export async function inspectDocument(bytes: Buffer, type: FileType): Promise<void> {
  const worker = new Worker(new URL('document-worker.ts', import.meta.url), {
    workerData: { bytes, type },
    resourceLimits: { maxOldGenerationSizeMb: 256 },
    env: {},
  })
  let timer: NodeJS.Timeout | undefined
  try {
    const reason = await new Promise<string | null>((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
      worker.once('exit', () => reject(new Error('the document check ended without a word')))
      timer = setTimeout(() => reject(new Error('the document check took too long')), WITHIN_MS)
    })
    if (reason !== null) throw new Unacceptable(reason)
  } catch (cause) {
    if (cause instanceof Unacceptable) throw cause
    // out of memory or out of time: whatever it is, it is not a document that anybody can use
    throw new Unacceptable('This document could not be read. Save it as a PDF and try again.')
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}
