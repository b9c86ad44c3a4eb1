import { z } from 'zod'
import { cursorMeta, time } from '#contract/fields.ts'
import { mediaItem } from '#contract/storage.ts'
import { MESSAGE_MAX, MOST_MESSAGE_PHOTOS } from '#contract/values/limits.ts'

// A message of a conversation, in merchant chat and in the market alike.

// line breaks and tabs are text; every other control character is not
const unshowable = /[^\P{Cc}\n\t]/u
// letters, digits, signs or emoji: spaces and invisible marks alone say nothing
const saysSomething = /[^\p{Z}\p{C}\s]/u

const body = z
  .string('Write a message')
  // many blank lines would only push the conversation off the screen
  .transform((typed) =>
    typed
      .toWellFormed()
      .replaceAll(/\r\n?/g, '\n')
      .trim()
      .replaceAll(/\n{3,}/g, '\n\n'),
  )
  .refine((typed) => typed.length <= MESSAGE_MAX, `At most ${MESSAGE_MAX} characters`)
  .refine((typed) => !unshowable.test(typed), 'This has characters that cannot be shown')

/** Text, photos, or both. */
export const messageBody = z
  .strictObject({
    body: body.default(''),
    /** Photos: uploads of type 1 of the sender's own. */
    storage_object_ids: z
      .array(z.uuid('This is not the id of an upload'))
      .max(MOST_MESSAGE_PHOTOS, `At most ${MOST_MESSAGE_PHOTOS} photos a message`)
      .refine((ids) => new Set(ids).size === ids.length, 'The same photo twice')
      .default([]),
  })
  .refine(({ body: typed, storage_object_ids }) => saysSomething.test(typed) || storage_object_ids.length > 0, {
    path: ['body'],
    message: 'Write a message or add a photo',
  })
export type MessageBody = z.output<typeof messageBody>

export const message = z
  .object({
    id: z.string(),
    /** 1, 2, 3 … within the conversation, without a gap: the same order for both sides. */
    seq: z.int(),
    /** As the reader may see it: contact details are masked until the deal is made. A sender reads their own words. */
    body: z.string(),
    mine: z.boolean(),
    /** When the person it was sent to had read it. */
    read_at: time.nullable(),
    created_at: time,
    attachments: z.array(mediaItem),
    /** Whether contact details in it are hidden from the person it was sent to. */
    is_masked: z.boolean(),
  })
  .meta({ id: 'Message' })
export type Message = z.output<typeof message>

/** `next_cursor` leads to older messages. */
export const messagePage = { data: z.array(message), meta: cursorMeta }

export const messageQuery = z.object({ cursor: z.string().max(20).optional() })
