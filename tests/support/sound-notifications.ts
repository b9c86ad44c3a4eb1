import type pg from 'pg'

/** Three notifications of one reader: one with an email that was sent, one read, one by email alone that the reader has switched off. */
export async function soundNotifications(owner: pg.ClientBase, userId: string): Promise<void> {
  await owner.query(
    `insert into notifications (user_id, kind, source, facts, link, in_app, seq, created_at, read_at, delivered_at, email_due_at, emailed_at)
     values ($1, 'outbid', 'sound:1', '{}', '/', true, 1, app_now() - interval '3 hours', null, app_now(), app_now() - interval '3 hours', app_now()),
            ($1, 'outbid', 'sound:2', '{}', '/', true, 2, app_now() - interval '2 hours', app_now(), app_now(), null, null),
            ($1, 'outbid', 'sound:3', '{}', '/', false, null, null, null, app_now(), null, null)`,
    [userId],
  )
  // the new one happens in an hour: the tests that look at it may take longer than the minute that it has
  await owner.query(`update notifications set happened_at = app_now() + interval '1 hour' where source = 'sound:3'`)
}

const first = `source = 'sound:1'`

/** Each breaks one rule of the notifications on purpose. */
export const notificationBreaks: [rule: string, statements: string[]][] = [
  ['47: notifications: each has a reader', [`update notifications set user_id = gen_random_uuid() where ${first}`]],
  [
    '47: notifications: each has a reader',
    [`update notifications set delivered_at = null, happened_at = app_now() - interval '61 seconds' where source = 'sound:3'`],
  ],
  ['47: notifications: none is sent', [`update notifications set email_due_at = emailed_at + interval '1 second' where ${first}`]],
  ['47: notifications: none is sent', [`update notifications set delivered_at = null, happened_at = app_now() where ${first}`]],
  ['48: notifications: places', [`update notifications set created_at = app_now() where ${first}`]],
]
