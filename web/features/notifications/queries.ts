import { infiniteQueryOptions, queryOptions, useQuery, type InfiniteData } from '@tanstack/react-query'
import type { Notification, NotificationPage } from '#contract/notifications.ts'
import { call } from '#web/api/api.ts'
import { queryClient } from '#web/api/query-client.ts'

type Pages = InfiniteData<NotificationPage, Place>
/** The cut-off of the first page keeps the next ones in step while new notifications arrive. */
type Place = { page: number; until?: string }

const firstPlace: Place = { page: 1 }

/** SPEC §7: newest first, page after page until `last_page`. New ones are put in front as they arrive. */
export const notificationsQuery = infiniteQueryOptions({
  queryKey: ['notifications'],
  queryFn: ({ signal, pageParam: { page, until } }) =>
    call('GET /api/v1/notifications', { query: { page, include: 'thumbnail', ...(until && { 'filter[until]': until }) }, signal }),
  initialPageParam: firstPlace,
  getNextPageParam: ({ meta: { current_page, last_page, until } }) =>
    current_page < last_page ? { page: current_page + 1, until } : undefined,
  staleTime: 0,
})

/** Rises with each count that a poll or the live stream told: an answer that was asked for before it is older. */
let newestCount = 0

const unreadQuery = queryOptions({
  queryKey: ['unread-notifications'],
  queryFn: async ({ signal, queryKey }) => {
    const asked = newestCount
    const { unread } = (await call('GET /api/v1/notifications/unread', { signal })).data
    return asked === newestCount ? unread : (queryClient.getQueryData<number>(queryKey) ?? unread)
  },
  staleTime: Infinity,
})

export const useUnread = (): number | undefined => useQuery(unreadQuery).data

export function setUnread(unread: number): void {
  newestCount++
  queryClient.setQueryData(unreadQuery.queryKey, unread)
}

/** The list looks stale to its next reader: notifications were read elsewhere, or more arrived than a poll brings. */
export const refreshList = (): Promise<void> => queryClient.invalidateQueries({ queryKey: notificationsQuery.queryKey })

/** New ones in front of a list that is open or was. */
export function addNew({ data: news, meta }: NotificationPage): void {
  queryClient.setQueryData(newestKey, meta.until)
  changePages(({ pages, ...rest }) => {
    const known = new Set(pages.flatMap(({ data }) => data.map(({ id }) => id)))
    const [first, ...others] = pages
    const added = news.filter(({ id }) => !known.has(id))
    return first && added.length > 0 ? { ...rest, pages: [{ ...first, data: [...added, ...first.data] }, ...others] } : { ...rest, pages }
  })
  // an answer that was asked for before they arrived would take them away again
  if (queryClient.isFetching({ queryKey: notificationsQuery.queryKey }) > 0) void refreshList()
}

/** A list that is closed starts again with its first page. */
export const keepFirstPage = (): void =>
  changePages(({ pages, pageParams }) => ({ pages: pages.slice(0, 1), pageParams: pageParams.slice(0, 1) }))

/** Shown as read at once; as it was if the server refuses. */
export async function markRead(id: string): Promise<void> {
  setRead((one) => one.id === id)
  try {
    setUnread((await call('PUT /api/v1/notifications/{id}/mark-as-read', { params: { id } })).meta.unread)
  } catch {
    // it stays unread, and says so; opening it was not in vain
    await refreshList()
  }
}

/** Every one up to the newest that this tab has heard of: one that arrives meanwhile stays unread. */
export async function markAllRead(): Promise<void> {
  const { data } = await call('POST /api/v1/notifications/mark-all-as-read', { body: { until: newestUntil() } })
  setUnread(data.unread)
  if (data.unread === 0) setRead(() => true)
  else await refreshList()
}

const newestKey = ['newest-notification']

/** Places count up: the newest that a poll brought, or that the list began with. */
function newestUntil(): string {
  const polled = queryClient.getQueryData<string>(newestKey)
  const listed = queryClient.getQueryData(notificationsQuery.queryKey)?.pages[0]?.meta.until
  return String(Math.max(Number(polled ?? 0), Number(listed ?? 0)))
}

const setRead = (isRead: (one: Notification) => boolean) =>
  changePages(({ pages, ...rest }) => ({
    ...rest,
    pages: pages.map((page) => ({ ...page, data: page.data.map((one) => (isRead(one) ? { ...one, has_been_read: true } : one)) })),
  }))

const changePages = (change: (pages: Pages) => Pages) =>
  void queryClient.setQueryData<Pages>(notificationsQuery.queryKey, (pages) => pages && change(pages))
