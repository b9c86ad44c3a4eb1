import { infiniteQueryOptions, keepPreviousData, queryOptions, useInfiniteQuery, useQuery, type InfiniteData } from '@tanstack/react-query'
import type { Conversation, MarketMessage } from '#contract/market/conversations.ts'
import type { Enquiry, OwnEnquiry } from '#contract/market/enquiries.ts'
import { call } from '#web/api/api.ts'
import { queryClient } from '#web/api/query-client.ts'
import { hearServerTime } from '#web/api/server-clock.ts'
import { queryOf, type MarketFilter } from '#web/features/market/data/filter.ts'
import { hearLive, useFollow, useIsDown } from '#web/live/live.ts'
import { PRICES_EVERY_MS } from '#web/live/timing.ts'

type EnquiryPage = { data: Enquiry[]; meta: { next_cursor: string | null } }

const hearTime = (page: EnquiryPage): EnquiryPage => {
  if (page.data[0]) hearServerTime(page.data[0].server_time)
  return page
}

const enquiriesQuery = (filter: MarketFilter) =>
  infiniteQueryOptions({
    queryKey: ['market', 'enquiries', filter],
    queryFn: async ({ signal, pageParam }) =>
      hearTime(
        await call('GET /api/v1/market/enquiries', { query: { ...queryOf(filter), ...(pageParam && { cursor: pageParam }) }, signal }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ meta }) => meta.next_cursor,
  })

/** Follows the market while it is shown: a new enquiry stands at its head by itself. */
export function useEnquiries(filter: MarketFilter) {
  useFollow(['market'])
  return useInfiniteQuery({ ...enquiriesQuery(filter), refetchInterval: useIsDown() && PRICES_EVERY_MS })
}

const ownQuery = infiniteQueryOptions({
  queryKey: ['market', 'own'],
  queryFn: async ({ signal, pageParam }) =>
    hearTime(await call('GET /api/v1/market/my-enquiries', { query: { ...(pageParam && { cursor: pageParam }) }, signal })),
  initialPageParam: null as string | null,
  getNextPageParam: ({ meta }) => meta.next_cursor,
})

export const useOwnEnquiries = () => useInfiniteQuery(ownQuery)

export const useEnquiryMap = (filter: MarketFilter) =>
  useQuery(
    queryOptions({
      queryKey: ['market', 'map', filter],
      queryFn: async ({ signal }) => (await call('GET /api/v1/market/enquiries/map', { query: queryOf(filter), signal })).data,
      placeholderData: keepPreviousData,
    }),
  )

export const useTradespeople = (isWanted: boolean) =>
  useQuery({
    queryKey: ['market', 'tradespeople'],
    queryFn: async ({ signal }) => (await call('GET /api/v1/market/tradespeople', { signal })).data,
    enabled: isWanted,
  })

export const isOwn = (enquiry: Enquiry | OwnEnquiry): enquiry is OwnEnquiry => 'offers' in enquiry

const enquiryQuery = (id: string) =>
  queryOptions({
    queryKey: ['market', 'enquiry', id],
    queryFn: async ({ signal }) => {
      const { data } = await call('GET /api/v1/market/enquiries/{id}', { params: { id }, signal })
      hearServerTime(data.server_time)
      return data
    },
  })

export const useEnquiry = (id: string) => useQuery({ ...enquiryQuery(id), refetchInterval: useIsDown() && PRICES_EVERY_MS })

const conversationsQuery = infiniteQueryOptions({
  queryKey: ['market', 'conversations'],
  queryFn: ({ signal, pageParam }) =>
    call('GET /api/v1/market/conversations', { query: { ...(pageParam && { cursor: pageParam }) }, signal }),
  initialPageParam: null as string | null,
  getNextPageParam: ({ meta }) => meta.next_cursor,
})

export const useConversations = () => useInfiniteQuery({ ...conversationsQuery, refetchInterval: useIsDown() && PRICES_EVERY_MS })

/** Messages in the market that nobody has read yet. */
export const useUnread = (): number => useConversations().data?.pages[0]?.meta.unread_count ?? 0

const conversationQuery = (id: string) =>
  queryOptions({
    queryKey: ['market', 'conversation', id],
    queryFn: async ({ signal }): Promise<Conversation> => {
      const { data } = await call('GET /api/v1/market/conversations/{id}', { params: { id }, signal })
      hearServerTime(data.server_time)
      return data
    },
  })

export const useConversation = (id: string) => useQuery({ ...conversationQuery(id), refetchInterval: useIsDown() && PRICES_EVERY_MS })

type MessagePage = { data: MarketMessage[]; meta: { next_cursor: string | null } }

const messagesKey = (id: string) => ['market', 'messages', id]

export const useMessages = (id: string) =>
  useInfiniteQuery({
    queryKey: messagesKey(id),
    queryFn: ({ signal, pageParam }): Promise<MessagePage> =>
      call('GET /api/v1/market/conversations/{id}/messages', { params: { id }, query: pageParam ? { cursor: pageParam } : {}, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ meta }) => meta.next_cursor,
    refetchInterval: useIsDown() && PRICES_EVERY_MS,
  })

/** What was sent stands at the end; where something came between, all is read again. */
export function keepSent(id: string, message: MarketMessage): void {
  const pages = queryClient.getQueryData<InfiniteData<MessagePage>>(messagesKey(id))
  const newest = pages?.pages[0]
  if (newest && message.seq === (newest.data.at(-1)?.seq ?? 0) + 1)
    queryClient.setQueryData(messagesKey(id), {
      ...pages,
      pages: [{ ...newest, data: [...newest.data, message] }, ...pages.pages.slice(1)],
    })
  void readConversationAgain(id)
}

export async function readConversationAgain(id: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['market', 'conversation', id] }),
    queryClient.invalidateQueries({ queryKey: messagesKey(id) }),
    queryClient.invalidateQueries({ queryKey: ['market', 'conversations'] }),
  ])
}

/** After a change of one's own. */
export const readMarketAgain = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ['market'] })

hearLive((event) => {
  if (event.kind === 'conversation') {
    void readConversationAgain(event.data.conversation_id)
    void queryClient.invalidateQueries({ queryKey: ['market', 'enquiry', event.data.enquiry_id] })
  }
  if (event.kind === 'enquiry') {
    void queryClient.invalidateQueries({ queryKey: ['market', 'enquiry', event.data.enquiry_id] })
    for (const list of ['enquiries', 'map', 'own']) void queryClient.invalidateQueries({ queryKey: ['market', list] })
  }
  if (event.kind === 'reset' || event.kind === 'gap') void readMarketAgain()
})
