const MINUTE_MS = 60_000

/** What `<input type="datetime-local">` holds: the clock on the wall, to the minute. */
export const localMinute = (at: Date): string =>
  new Date(at.getTime() - at.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length)
