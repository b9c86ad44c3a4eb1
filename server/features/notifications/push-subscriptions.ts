import { sql } from 'kysely'
import { isPushHost } from '#domain/notifications/push-hosts.ts'
import type { Db } from '#server/db/db.ts'
import { refuse } from '#server/http/errors.ts'

type Subscription = { endpoint: string; keys: { p256dh: string; auth: string } }

// a phone, a tablet, an office machine and a few that were left behind
const MOST_BROWSERS = 20

/** A browser belongs to whoever subscribed in it last. Anybody could name any address: only known push services are written to. */
export async function addPushSubscription(
  db: Db,
  userId: string,
  { endpoint, keys }: Subscription,
  { sandbox, publicUrl }: { sandbox: boolean; publicUrl: string },
): Promise<string> {
  if (!isPushHost(endpoint) && !(sandbox && isSandboxEndpoint(endpoint, publicUrl))) {
    const says = 'This browser uses a push service that we do not know.'
    throw refuse('invalid', says, { errors: { endpoint: [says] } })
  }
  const { rows } = await sql<{ id: string }>`
    insert into push_subscriptions as s (user_id, endpoint, p256dh, auth)
    values (${userId}, ${endpoint}, ${unpadded(keys.p256dh)}, ${unpadded(keys.auth)})
    on conflict (endpoint) do update
    set user_id = excluded.user_id, p256dh = excluded.p256dh, auth = excluded.auth, created_at = app_now()
    returning id`.execute(db)
  await sql`
    delete from push_subscriptions
    where id in (
      select id from push_subscriptions where user_id = ${userId} order by created_at desc, id offset ${MOST_BROWSERS}
    )`.execute(db)
  return rows[0]?.id ?? ''
}

export async function removePushSubscription(db: Db, userId: string, endpoint: string): Promise<void> {
  await db.deleteFrom('push_subscriptions').where('user_id', '=', userId).where('endpoint', '=', endpoint).execute()
}

/** The sandbox's own push service, on this machine or where its pages are. */
function isSandboxEndpoint(endpoint: string, publicUrl: string): boolean {
  const { hostname, origin, pathname } = new URL(endpoint)
  const isOurs = origin === new URL(publicUrl).origin || hostname === 'localhost' || hostname === '127.0.0.1'
  return isOurs && /^\/sandbox\/push\/[\w-]+$/.test(pathname)
}

const unpadded = (key: string) => key.replace(/=+$/, '')
