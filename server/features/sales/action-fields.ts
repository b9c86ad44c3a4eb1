import { z } from 'zod'
import { pence, text } from '#contract/fields.ts'
import { formatPence } from '#domain/format.ts'
import type { Field } from '#domain/sales/listing-machine-step.ts'
import { refuse } from '#server/http/errors.ts'

/** What was sent with an action, read by the very fields that its form was drawn from. Absent optional fields are not in it. */
export type ActionInput = Readonly<Record<string, unknown>>

export function readFields(fields: readonly Field[], sent: Readonly<Record<string, unknown>>): ActionInput {
  const schema = z.strictObject(Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field)])))
  const parsed = schema.safeParse(sent)
  if (!parsed.success) throw refuse('invalid', messageOf(parsed.error), { errors: errorsOf(parsed.error) })
  return Object.fromEntries(Object.entries(parsed.data).filter(([, value]) => value !== undefined && value !== null && value !== ''))
}

const LARGEST_AMOUNT = 1_000_000_000
const storageObjectId = z.guid('This upload is not known')

const fieldSchema = (field: Field): z.ZodType => {
  const schema = schemas[field.type](field)
  return field.required ? schema : schema.nullish()
}

const missing = (what: string) => ({ error: what })

const schemas: Record<Field['type'], (field: Field) => z.ZodType> = {
  // half a surrogate pair is no character, and JSON in the database does not take it
  text: ({ max = 1_000, required }) =>
    (required ? text(max, 'This is required').min(1, 'This is required') : text(max)).transform((given) => given.toWellFormed()),
  number: ({ max = Number.MAX_SAFE_INTEGER }) => z.int('A whole number').min(1, 'At least 1').max(max, `At most ${max}`),
  money: ({ max = LARGEST_AMOUNT }) => pence.min(1, 'At least 1p').max(max, `At most ${formatPence(max)}`),
  datetime: () => z.iso.datetime({ offset: true, error: 'A date and a time' }).transform((at) => new Date(at)),
  boolean: () => z.boolean(missing('Yes or no')),
  choice: ({ options = [] }) => z.enum(options as [string, ...string[]], missing(`One of ${options.join(', ')}`)),
  code: ({ max = 6 }) => z.string(missing('The code is required')).regex(new RegExp(`^\\d{${max}}$`), `${max} digits`),
  document: () => storageObjectId,
  documents: ({ max = 10 }) =>
    z
      .array(storageObjectId)
      .min(1, 'Add at least one file')
      .max(max, `At most ${max} files`)
      .refine((ids) => new Set(ids).size === ids.length, 'The same file twice'),
  amend_lines: () =>
    z
      .array(
        z.strictObject({
          type: z.enum(['weight', 'grade', 'contamination']),
          listed: text(200),
          found: text(200),
          price_effect: z.int('Whole pence').optional(),
        }),
      )
      .min(1, 'Say what differs')
      .max(3, 'One line each for weight, grade and contamination'),
}

const MOST_UNKNOWN = 50

function errorsOf(error: z.ZodError): Record<string, string[]> {
  const errors: Record<string, string[]> = Object.create(null)
  for (const issue of error.issues) {
    const [field, says] =
      issue.code === 'unrecognized_keys'
        ? [issue.keys.slice(0, MOST_UNKNOWN), 'This field is not known here.']
        : [[String(issue.path[0] ?? 'body')], issue.message]
    for (const name of field) errors[name] = [...(errors[name] ?? []), says]
  }
  return errors
}

const messageOf = ({ issues }: z.ZodError) =>
  issues.some(({ path }) => path[0] === 'reason') ? 'Give a reason: those concerned see it.' : 'Some fields need another look.'
