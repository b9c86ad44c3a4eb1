import { z } from 'zod'

/** A field of an action's form, as API.md names them: a client that knows only this can play a whole sale. */
const actionField = z.object({
  name: z.string(),
  type: z.enum(['text', 'number', 'money', 'datetime', 'boolean', 'choice', 'code', 'document', 'documents', 'amend_lines']),
  required: z.boolean(),
  /** A storage object kind of SPEC §3. */
  kind: z.int().optional(),
  options: z.array(z.string()).optional(),
  /** Characters of a text, files of documents, pence of money. */
  max: z.int().optional(),
})

export const availableAction = z.object({ action: z.string(), label: z.string(), fields: z.array(actionField) })
export type AvailableAction = z.output<typeof availableAction>
export type ActionField = AvailableAction['fields'][number]
