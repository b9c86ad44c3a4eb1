import type { listingSorts } from '#contract/search.ts'
import { refuseField } from '#server/http/errors.ts'
import { isUuid } from '#server/http/uuid.ts'

export type Sort = (typeof listingSorts)[number]
export type Order = Sort | 'ended'

/** The last listing of a page: its sort key (times in microseconds, prices in pence, distances in miles) and its id. */
export type Cursor = { key: string; id: string }

export type Page = { after: Cursor | undefined; limit: number }

export const writeCursor = (order: Order, { key, id }: Cursor): string =>
  Buffer.from(JSON.stringify([order, key, id])).toString('base64url')

/** Refuses a malformed cursor, and one of another order: it would skip or repeat listings. */
export function readCursor(order: Order, text: string | undefined): Cursor | undefined {
  if (text === undefined) return undefined
  const [of, key, id] = parsed(text)
  if (of === order && typeof key === 'string' && keyShapes[order].test(key) && typeof id === 'string' && isUuid(id)) return { key, id }
  throw refuseField('cursor', 'This is not the end of a page of this list. Begin again without it.')
}

const whole = /^\d{1,16}$/
const keyShapes: Record<Order, RegExp> = {
  ending_soonest: whole,
  newest: whole,
  ended: whole,
  price_low: /^\d{1,10}$/,
  price_high: /^\d{1,10}$/,
  most_bids: /^\d{1,10}$/,
  nearest: /^\d{1,4}(?:\.\d{1,20})?(?:e-\d{1,2})?$/,
}

function parsed(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}
