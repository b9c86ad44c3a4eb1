import { refuseField } from '#server/http/errors.ts'
import { isUuid } from '#server/http/uuid.ts'

/** The last row of a page of a list by time: its time in milliseconds, and its id. */
export type ListCursor = { millis: string; id: string }

const writeListCursor = ({ millis, id }: ListCursor): string => `${millis}.${id}`

export function readListCursor(text: string | undefined): ListCursor | undefined {
  if (text === undefined) return undefined
  const [millis = '', id = ''] = text.split('.')
  if (!/^\d{1,13}$/.test(millis) || !isUuid(id)) throw refuseField('cursor', 'Invalid cursor. Begin again without it.')
  return { millis, id }
}

/** A page of one more row than was asked for, cut to size: the row too many says that there is a next page. */
export function cutPage<Row extends { id: string }>(rows: readonly Row[], limit: number, timeOf: (last: Row) => Date) {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    rows: page,
    meta: {
      next_cursor: rows.length > limit && last ? writeListCursor({ millis: String(timeOf(last).getTime()), id: last.id }) : null,
      prev_cursor: null,
      per_page: limit,
    },
  }
}
