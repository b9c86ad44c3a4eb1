/** Runs work of the same key one after the other, in order of arrival; work of other keys does not wait. */
export function queueByKey() {
  const newest = new Map<string, Promise<unknown>>()
  return async <Result>(key: string, work: () => Promise<Result>): Promise<Result> => {
    const before = newest.get(key)
    const run = (async () => {
      // how the work before it ended is its caller's business
      await before?.catch(() => undefined)
      return work()
    })()
    newest.set(key, run)
    try {
      return await run
    } finally {
      if (newest.get(key) === run) newest.delete(key)
    }
  }
}
