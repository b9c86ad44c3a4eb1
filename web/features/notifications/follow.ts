import type { Notification, NotificationPage } from '#contract/notifications.ts'
import { call } from '#web/api/api.ts'
import { showCards, withdrawCard, type CardOptions } from '#web/features/notifications/cards.ts'
import { addNew, refreshList, setUnread } from '#web/features/notifications/queries.ts'
import { hearPushClicks, renewPush } from '#web/features/notifications/push.ts'
import { hearBids } from '#web/live/bids.ts'
import { follow, hearLive } from '#web/live/live.ts'
import { startPolling } from '#web/live/polling.ts'

hearBids()

// a laptop that slept for a day brings no more than the list can show
const MOST_AT_ONCE = 100

type Answer = { page: NotificationPage; isFirst: boolean }

/** While somebody is logged in: the unread count, the list and the cards follow what arrives, live or by polling. */
export function followNotifications({ userId, ...options }: CardOptions & { userId: string }): () => void {
  let since: string | undefined

  async function poll(): Promise<Answer> {
    const query = since ? { 'filter[since]': since, per_page: MOST_AT_ONCE } : { page: 1, per_page: 1 }
    return { page: await call('GET /api/v1/notifications', { query: { ...query, include: 'thumbnail' } }), isFirst: !since }
  }

  function onPolled({ page, isFirst }: Answer) {
    const { data, meta } = page
    since = meta.since
    setUnread(meta.unread)
    // the first answer only says from when on to ask: what is older than the page waits in the list
    if (isFirst || data.length === 0) return
    if (meta.last_page > 1) void refreshList()
    else addNew(page)
    showCards(data.filter(isUnread), options)
  }

  const polling = startPolling({ poll, onPolled })
  const unfollow = follow([`me:${userId}`])
  const stopHearing = hearLive((event) => {
    if (event.kind === 'standing' && event.data.bid_status === 'Active') withdrawCard(event.data.listing_id)
    // events were missed: a poll since the last answer brings what they told
    if (event.kind === 'gap' || event.kind === 'reset') polling.pollNow()
    if (event.kind !== 'notifications') return
    setUnread(event.data.unread)
    if (event.data.since === null) return void refreshList()
    since ??= event.data.since
    polling.pollNow()
  })
  const stopPushClicks = hearPushClicks(options.onOpen)
  renewPush(userId).catch(() => undefined)
  return () => {
    stopPushClicks()
    unfollow()
    stopHearing()
    polling.stop()
  }
}

const isUnread = ({ has_been_read }: Notification) => !has_been_read
