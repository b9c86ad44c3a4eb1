import type { ActionField } from '#contract/listings.ts'
import type { MediaItem } from '#contract/storage.ts'
import { fromLondonMinute } from '#domain/london-clock.ts'
import { penceOf } from '#domain/money.ts'

/** As a form holds them: money in pounds, times by London's clock, documents with their names. */
export type ActionValue = string | number | boolean | null | MediaItem[]
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
}

export const isDrawn = ({ type }: ActionField): boolean => Object.hasOwn(empty, type)

export const emptyValues = (fields: readonly ActionField[]): ActionValues =>
  Object.fromEntries(fields.map(({ name, type }) => [name, empty[type] ?? null]))

/** What is left empty is left out. */
export function bodyOf(fields: readonly ActionField[], values: ActionValues): Record<string, unknown> {
  const sent = fields.map((field) => [field.name, sentValue(field, values[field.name] ?? null)] as const)
  return Object.fromEntries(sent.filter(([, value]) => value !== undefined))
}

function sentValue({ type, required }: ActionField, value: ActionValue): unknown {
  if (typeof value === 'boolean') return value || required ? value : undefined
  if (value === null || value === '') return undefined
  if (Array.isArray(value)) {
    const ids = value.map(({ storage_object_id }) => storage_object_id)
    return ids.length === 0 ? undefined : type === 'document' ? ids[0] : ids
  }
  if (type === 'money') return penceOf(Number(value))
  return type === 'datetime' ? fromLondonMinute(String(value)).toISOString() : value
}
