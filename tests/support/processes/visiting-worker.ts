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

/**
 * A worker comes, does what is due this long after the real time, and goes. It is there before the clock moves: what is due already is
 * done, and so never waits for a time that a step back puts off.
 */
export const work = (yard: Yard, later: string): Promise<void> =>
  withWorker(yard, async () => {
    await yard.travel(later)
    await yard.owner.query('notify jobs')
  })

/** The same while the provider is in trouble: everything that is due was tried. */
export async function tryToWork(yard: Yard, later: string): Promise<void> {
  const worker = await yard.another({ ROLE: 'all' })
  await yard.travel(later)
  await yard.owner.query('notify jobs')
  await yard.jobsDone()
  await worker.stop()
}
