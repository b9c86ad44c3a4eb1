import { z } from 'zod'
import { endpoints } from '#contract/endpoint.ts'
import { cursorMeta, pageQuery, text, time } from '#contract/fields.ts'
import { message, messageBody, messagePage, messageQuery } from '#contract/people/messages.ts'
import { REASON_MAX } from '#contract/values/limits.ts'

const placeOfThread = z.object({ id: z.string(), user_id: z.string() })

/** The other side of a conversation. Only the company's name is shown, no person's. */
export const counterpart = z.object({
  id: z.string(),
  company_name: z.string(),
  /** The account was erased. */
  is_former: z.boolean(),
})

const thread = z
  .object({
    /** Null until the first message. */
    id: z.string().nullable(),
    listing: z.object({ id: z.string(), title: z.string(), is_owner: z.boolean(), thumbnail: z.string().nullable() }),
    with: counterpart,
    last_message: message.nullable(),
    last_message_at: time.nullable(),
    /** Messages of the other side that the caller has not read. */
    unread: z.int(),
  })
  .meta({ id: 'ChatThread' })
export type ChatThread = z.output<typeof thread>

const openThread = thread.omit({ last_message: true }).extend({
  /** Why the caller cannot write here now; null: they can. */
  why_not: z.object({ code: z.string(), message: z.string() }).nullable(),
  /** Whether the caller has blocked the other side. */
  is_blocked: z.boolean(),
  /** Whether contact details are hidden: until the sale between the two is paid. */
  is_masked: z.boolean(),
})
export type OpenThread = z.output<typeof openThread>

export const MOST_UNREAD_LISTINGS = 200

const inboxMeta = cursorMeta.extend({
  /** All unread messages of the caller. */
  unread: z.int(),
  /** The same by listing, for the newest of them. */
  unread_by_listing: z.record(z.string(), z.int()),
})

/** What can be reported. */
export const reportTypes = ['user', 'listing', 'chat', 'chat_message', 'enquiry', 'enquiry_conversation'] as const
export type ReportType = (typeof reportTypes)[number]

const userParams = z.object({ id: z.string() })

export const chatEndpoints = endpoints({
  'GET /api/v1/chats': {
    summary: 'The caller’s inbox: every thread of merchant chat, the newest message first',
    access: 'member',
    query: pageQuery,
    replies: { 200: z.object({ data: z.array(thread), meta: inboxMeta }) },
  },
  'GET /api/v1/listings/{id}/chats': {
    summary: 'The caller’s threads about one listing: all of them for its owner',
    access: 'member',
    params: z.object({ id: z.string() }),
    query: pageQuery,
    replies: { 200: z.object({ data: z.array(thread), meta: cursorMeta }) },
  },
  'GET /api/v1/listings/{id}/chats/{user_id}/messages': {
    summary: 'The messages between the caller and a user about a listing, newest last within a page; the cursor leads to older ones',
    access: 'member',
    params: placeOfThread,
    query: messageQuery,
    replies: { 200: z.object({ ...messagePage, thread: openThread }) },
  },
  'POST /api/v1/listings/{id}/chats/{user_id}/messages': {
    summary: 'Send a message; needs an Idempotency-Key. The first one opens the thread',
    access: 'member',
    params: placeOfThread,
    body: messageBody,
    replies: { 201: z.object({ data: message }) },
  },
  'PUT /api/v1/listings/{id}/chats/{user_id}/read': {
    summary: 'Mark everything in the thread up to now as read',
    access: 'member',
    params: placeOfThread,
    replies: { 204: null },
  },
  'PUT /api/v1/users/{id}/block': {
    summary: 'Block a user: no new message passes between the two, in chat and in the market',
    access: 'member',
    params: userParams,
    replies: { 204: null },
  },
  'DELETE /api/v1/users/{id}/block': {
    summary: 'Take a block back',
    access: 'member',
    params: userParams,
    replies: { 204: null },
  },
  'POST /api/v1/reports': {
    summary: 'Report a user, a listing, a thread or a message to the back office',
    access: 'member',
    body: z.strictObject({
      about: z.strictObject({ type: z.enum(reportTypes, 'Say what it is about'), id: z.uuid('Say what it is about') }),
      reason: text(REASON_MAX, 'Say what is wrong').min(1, 'Say what is wrong'),
    }),
    replies: { 201: z.object({ data: z.object({ id: z.string(), created_at: time }) }) },
  },
})
