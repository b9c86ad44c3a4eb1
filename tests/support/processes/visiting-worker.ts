import type { Yard } from '#tests/support/yard.ts'

// For a yard without a worker of its own (ROLE=web): one comes where a test wants it, and meets no faults but those of that moment.

/** A worker is there while something happens, sees to what follows from it, and goes. */
export async function withWorker<T>(yard: Yard, act: () => Promise<T>): Promise<T> {
  const worker = await yard.another({ ROLE: 'all' })
  try {
    const result = await act()
    await yard.bankSettled()
    return result
  } finally {
    await worker.stop()
  }
}

/** The clock moves to this long after the real time, then a worker comes, does what is due, and goes: it never sees the time before. */
export async function work(yard: Yard, later: string): Promise<void> {
  await yard.travel(later)
  await withWorker(yard, async () => {})
}

/** The same while the provider is in trouble: everything that is due was tried. */
export async function tryToWork(yard: Yard, later: string): Promise<void> {
  await yard.travel(later)
  const worker = await yard.another({ ROLE: 'all' })
  await yard.jobsDone()
  await worker.stop()
}
