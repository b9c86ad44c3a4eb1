import { z } from 'zod'
import { endpoints } from '#contract/endpoint.ts'
import { message, time, wholeNumber } from '#contract/fields.ts'
import { notificationChannels, notificationKinds } from '#contract/values/notification-kinds.ts'

const kind = z.enum(notificationKinds)

export const notification = z
  .object({
    id: z.string(),
    kind,
    title: z.string(),
    body: z.string(),
    /** A path on our own origin, and what the button that opens it says. */
    link: z.string(),
    action: z.string(),
    has_been_read: z.boolean(),
    /** With include=thumbnail, else null. */
    thumbnail: z.string().nullable(),
    listing_id: z.string().nullable(),
    /** The same as `thumbnail`, for notifications about a listing. */
    listing_thumbnail: z.string().nullable(),
    created_at: time,
  })
  .meta({ id: 'Notification' })
export type Notification = z.output<typeof notification>

export const NOTIFICATIONS_PER_PAGE = 20

const notificationPage = z.object({
  data: z.array(notification),
  meta: z.object({
    current_page: z.int(),
    last_page: z.int(),
    per_page: z.int(),
    total: z.int(),
    /** How many are unread in all. */
    unread: z.int(),
    /** The cut-off of these pages: send it as filter[until] with the next page. */
    until: z.string(),
    /** Send it as filter[since] with the next poll: nothing is missed and nothing comes twice. */
    since: time,
    server_time: time,
  }),
})
export type NotificationPage = z.output<typeof notificationPage>

const clockTime = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'Enter a time such as 22:00')
const channels = z.object({ in_app: z.boolean(), email: z.boolean(), push: z.boolean() })

const notificationSettings = z
  .object({
    /** Those that the caller can have. */
    kinds: z.partialRecord(
      kind,
      channels.extend({
        label: z.string(),
        about: z.string(),
        group: z.string(),
        /** Channels that cannot be switched off; missing where all can. */
        locked: z.array(z.enum(notificationChannels)).optional(),
      }),
    ),
    /** London's clock. */
    quiet_hours: z.object({ from: clockTime, to: clockTime }).nullable(),
    /** Matches once a day instead of once an hour. */
    digest: z.boolean(),
  })
  .meta({ id: 'NotificationSettings' })
export type NotificationSettings = z.output<typeof notificationSettings>

/** A field that is left out keeps its value. */
export const newNotificationSettings = z.strictObject({
  kinds: z
    .partialRecord(
      kind,
      z.strictObject({
        in_app: z.boolean().optional(),
        email: z.boolean().optional(),
        push: z.boolean().optional(),
        label: z.string().max(200).optional(),
        about: z.string().max(500).optional(),
        group: z.string().max(200).optional(),
        locked: z.array(z.enum(notificationChannels)).max(3).optional(),
      }),
    )
    .optional(),
  quiet_hours: z
    .strictObject({ from: clockTime, to: clockTime })
    .refine(({ from, to }) => from !== to, 'Quiet hours begin and end at different times')
    .nullable()
    .optional(),
  digest: z.boolean().optional(),
})

/** What a browser's PushSubscription says of itself as JSON. */
const pushSubscription = z.strictObject({
  endpoint: z.url({ protocol: /^https?$/, error: 'This is not a push address' }).max(1_000),
  expirationTime: z.number().nullish(),
  keys: z.strictObject({
    p256dh: z.string().regex(/^[\w-]{86,88}={0,2}$/, 'This is not a push key'),
    auth: z.string().regex(/^[\w-]{22}={0,2}$/, 'This is not a push key'),
  }),
})

export const notificationEndpoints = endpoints({
  'GET /api/v1/notifications': {
    summary: 'The caller’s notifications, newest first',
    access: 'member',
    query: z.object({
      page: wholeNumber.min(1).max(100_000).default(1),
      per_page: wholeNumber.min(1).max(100).default(NOTIFICATIONS_PER_PAGE),
      'filter[since]': z.iso
        .datetime({ offset: true, error: 'Send a time such as 2026-11-16T09:30:00.000Z' })
        .transform((at) => new Date(at).toISOString())
        .optional(),
      'filter[until]': z
        .string()
        .regex(/^\d{1,9}$/, 'Send the cut-off of the first page')
        .optional(),
      include: z.string().max(100).optional(),
    }),
    replies: { 200: notificationPage },
  },
  'GET /api/v1/notifications/unread': {
    summary: 'How many of the caller’s notifications are unread',
    access: 'member',
    replies: { 200: z.object({ data: z.object({ unread: z.int() }) }) },
  },
  'PUT /api/v1/notifications/{id}/mark-as-read': {
    summary: 'Mark a notification as read',
    access: 'member',
    params: z.object({ id: z.string() }),
    replies: { 200: z.object({ data: notification, meta: z.object({ unread: z.int() }) }) },
  },
  'POST /api/v1/notifications/mark-all-as-read': {
    summary: 'Mark every notification as read that exists now, or up to the cut-off `until` of a page',
    access: 'member',
    body: z
      .strictObject({
        until: z
          .string()
          .regex(/^\d{1,9}$/, 'Send the cut-off of a page')
          .optional(),
      })
      .nullish(),
    replies: { 200: z.object({ data: z.object({ unread: z.int() }) }) },
  },
  'GET /api/v1/auth/notification-settings': {
    summary: 'What the caller is told of, and how',
    access: 'member',
    replies: { 200: z.object({ data: notificationSettings }) },
  },
  'PUT /api/v1/auth/notification-settings': {
    summary: 'Change what the caller is told of, and how',
    access: 'member',
    body: newNotificationSettings,
    replies: { 200: z.object({ data: notificationSettings, message: z.string() }) },
  },
  'POST /api/v1/auth/notification-settings/dismiss-call-to-complete': {
    summary: 'Dismiss the prompt to complete the notification settings',
    access: 'member',
    replies: { 200: message },
  },
  'POST /api/v1/push-subscriptions': {
    summary: 'Send push messages to this browser: its own subscription object',
    access: 'member',
    body: pushSubscription,
    replies: { 201: z.object({ data: z.object({ id: z.string() }) }) },
  },
  'DELETE /api/v1/push-subscriptions': {
    summary: 'Send no more push messages to this browser',
    access: 'member',
    body: pushSubscription.partial({ keys: true }),
    replies: { 204: null },
  },
})
