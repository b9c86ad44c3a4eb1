import { infiniteQueryOptions, queryOptions, useInfiniteQuery, useQuery, type InfiniteData } from '@tanstack/react-query'
import type { ChatThread, OpenThread } from '#contract/people/chat.ts'
import type { Message } from '#contract/people/messages.ts'
import { call } from '#web/api/api.ts'
import { queryClient } from '#web/api/query-client.ts'
import { hearLive, useIsDown } from '#web/live/live.ts'
import { PRICES_EVERY_MS } from '#web/live/timing.ts'

/** A conversation: with whom, about which listing. */
export type ChatPlace = { listingId: string; userId: string }

type MessagePage = { data: Message[]; meta: { next_cursor: string | null }; thread: OpenThread }

const messagesKey = ({ listingId, userId }: ChatPlace) => ['chat', 'messages', listingId, userId]

/** The first page is the newest; each page is oldest first. */
const messagesQuery = (place: ChatPlace) =>
  infiniteQueryOptions({
    queryKey: messagesKey(place),
    queryFn: ({ signal, pageParam }): Promise<MessagePage> =>
      call('GET /api/v1/listings/{id}/chats/{user_id}/messages', {
        params: { id: place.listingId, user_id: place.userId },
        query: pageParam ? { cursor: pageParam } : {},
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ meta }) => meta.next_cursor,
    staleTime: 0,
  })

export const useMessages = (place: ChatPlace) =>
  useInfiniteQuery({ ...messagesQuery(place), refetchInterval: useIsDown() && PRICES_EVERY_MS })

const inboxQuery = infiniteQueryOptions({
  queryKey: ['chat', 'inbox'],
  queryFn: ({ signal, pageParam }) =>
    call('GET /api/v1/chats', { query: { per_page: 24, ...(pageParam && { cursor: pageParam }) }, signal }),
  initialPageParam: null as string | null,
  getNextPageParam: ({ meta }) => meta.next_cursor,
  staleTime: 0,
})

export const useInbox = () => useInfiniteQuery({ ...inboxQuery, refetchInterval: useIsDown() && PRICES_EVERY_MS })

/** How many messages are unread, in all and by listing: one small answer for every badge. */
const unreadQuery = queryOptions({
  queryKey: ['chat', 'unread'],
  queryFn: async ({ signal }) => (await call('GET /api/v1/chats', { query: { per_page: 1 }, signal })).meta,
  staleTime: 30_000,
})

export const useUnread = () => useQuery(unreadQuery).data

const listingThreadsQuery = (listingId: string) =>
  queryOptions({
    queryKey: ['chat', 'listing', listingId],
    queryFn: async ({ signal }): Promise<ChatThread[]> =>
      (await call('GET /api/v1/listings/{id}/chats', { params: { id: listingId }, query: {}, signal })).data,
    staleTime: 0,
  })

export const useListingThreads = (listingId: string) => useQuery(listingThreadsQuery(listingId))

/** The lists and the badges; the open conversation is read by its own key. */
export const readListsAgain = (): void =>
  void queryClient.invalidateQueries({ predicate: ({ queryKey: [of, what] }) => of === 'chat' && what !== 'messages' })

export const readChatAgain = (place: ChatPlace): Promise<void> => queryClient.invalidateQueries({ queryKey: messagesKey(place) })

/** What was sent stands at the end; where something came between, all is read again. */
export function keepSent(place: ChatPlace, message: Message): void {
  const key = messagesKey(place)
  const pages = queryClient.getQueryData<InfiniteData<MessagePage>>(key)
  const newest = pages?.pages[0]
  const last = newest?.data.at(-1)?.seq ?? 0
  if (newest && message.seq === last + 1)
    queryClient.setQueryData(key, { ...pages, pages: [{ ...newest, data: [...newest.data, message] }, ...pages.pages.slice(1)] })
  void readChatAgain(place)
  readListsAgain()
}

hearLive((event) => {
  if (event.kind === 'chat') {
    void readChatAgain({ listingId: event.data.listing_id, userId: event.data.with_id })
    readListsAgain()
  }
  // a payment shows contact details
  if (event.kind === 'sale') void queryClient.invalidateQueries({ queryKey: ['chat', 'messages', event.data.listing_id] })
  if (event.kind === 'reset' || event.kind === 'gap') void queryClient.invalidateQueries({ queryKey: ['chat'] })
})
