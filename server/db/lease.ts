// A lease says whose turn it is: no other process takes the row until it has run out. Its holder renews it for as long as it works, so
// that it can be short: a process that was killed holds nothing up for longer than this.

export const LEASE_SECONDS = 6
const RENEW_EVERY_MS = 1_000

/** Renews a lease until the work is over. */
export async function whileRenewing<T>(renew: () => Promise<unknown>, work: () => Promise<T>): Promise<T> {
  let renewing: Promise<unknown> | undefined
  const timer = setInterval(() => {
    // A renewal that failed is tried again at the next tick. If the lease has run out by then, another process may hold it.
    renewing ??= renew().then(
      () => (renewing = undefined),
      () => (renewing = undefined),
    )
  }, RENEW_EVERY_MS)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}
