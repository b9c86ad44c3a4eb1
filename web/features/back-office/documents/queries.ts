import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { DocumentStatus } from '#contract/values/document-kinds.ts'
import { call } from '#web/api/api.ts'
import { queryClient } from '#web/api/query-client.ts'

const LISTS = ['admin-documents']

/** Documents that wait, the longest first; the others newest first. */
export const documentsQuery = (status: DocumentStatus) =>
  infiniteQueryOptions({
    queryKey: [...LISTS, status],
    queryFn: ({ signal, pageParam }) =>
      call('GET /api/v1/admin/documents', { query: { 'filter[status]': status, ...(pageParam && { cursor: pageParam }) }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ meta }) => meta.next_cursor,
    staleTime: 0,
  })

export const documentQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin-document', id],
    queryFn: async ({ signal }) => (await call('GET /api/v1/admin/documents/{id}', { params: { id }, signal })).data,
    staleTime: 0,
  })

export type ReviewedDocument = Awaited<ReturnType<typeof call<'GET /api/v1/admin/documents'>>>['data'][number]
export type DocumentToReview = Awaited<ReturnType<typeof call<'GET /api/v1/admin/documents/{id}'>>>['data']

/** `expires`: a day such as 2035-01-31; null leaves the one that its owner gave. */
export const approve = async (id: string, expires: string | null): Promise<void> =>
  keep((await call('POST /api/v1/admin/documents/{id}/approve', { params: { id }, body: { expires_at: expires } })).data)

export const reject = async (id: string, reason: string): Promise<void> =>
  keep((await call('POST /api/v1/admin/documents/{id}/reject', { params: { id }, body: { reason } })).data)

function keep(document: ReviewedDocument): void {
  queryClient.setQueryData(documentQuery(document.id).queryKey, (known) => known && { ...known, ...document })
  void queryClient.invalidateQueries({ queryKey: LISTS })
}
