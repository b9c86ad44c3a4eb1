import type { ActionField, Listing } from '#contract/listings.ts'
import type { MediaItem } from '#contract/storage.ts'
import { fromLondonMinute } from '#domain/london-clock.ts'
import { penceOf } from '#domain/money.ts'
import type { AmendLine } from '#domain/sales/amend.ts'
import { firstLines } from '#web/features/sales/amends/amend-draft.ts'

/** As a form holds them: money in pounds, times by London's clock, documents with their names. */
export type ActionValue = string | number | boolean | null | MediaItem[] | AmendLine[]
export type ActionValues = Record<string, ActionValue>

type FieldType = ActionField['type']

/** What this version of the app can draw; what it cannot is said, never left out. */
const empty: Partial<Record<FieldType, ActionValue>> = {
  text: '',
  number: null,
  money: null,
  datetime: '',
  boolean: false,
  choice: '',
  code: '',
  document: [],
  documents: [],
  amend_lines: [],
}

export const isDrawn = ({ type }: ActionField): boolean => Object.hasOwn(empty, type)

/** Empty, but for an amend of a weight that the buyer's own ticket states already. */
export const firstValues = (fields: readonly ActionField[], listing: Listing): ActionValues =>
  Object.fromEntries(fields.map(({ name, type }) => [name, type === 'amend_lines' ? firstLines(listing) : (empty[type] ?? null)]))

/** What is left empty is left out. */
export function bodyOf(fields: readonly ActionField[], values: ActionValues): Record<string, unknown> {
  const sent = fields.map((field) => [field.name, sentValue(field, values[field.name] ?? null)] as const)
  return Object.fromEntries(sent.filter(([, value]) => value !== undefined))
}

function sentValue({ type, required }: ActionField, value: ActionValue): unknown {
  if (typeof value === 'boolean') return value || required ? value : undefined
  if (value === null || value === '') return undefined
  if (type === 'amend_lines') return value
  if (Array.isArray(value)) {
    const ids = (value as MediaItem[]).map(({ storage_object_id }) => storage_object_id)
    return ids.length === 0 ? undefined : type === 'document' ? ids[0] : ids
  }
  if (type === 'money') return penceOf(Number(value))
  return type === 'datetime' ? fromLondonMinute(String(value)).toISOString() : value
}

/** Where what is typed into an action's form is kept: a phone that opens its camera may load the page again. */
export const draftName = ({ id, is_owner }: Listing, action: string): string =>
  `action-draft-${id}-${is_owner ? 'seller' : 'buyer'}-${action}`

/** A handover code is not kept. */
export const keptValues = (fields: readonly ActionField[], values: ActionValues): ActionValues =>
  Object.fromEntries(Object.entries(values).filter(([key]) => fields.find(({ name }) => name === key)?.type !== 'code'))
