import { queryOptions } from '@tanstack/react-query'
import type { DocumentForm, MerchantDocument } from '#contract/documents.ts'
import { call } from '#web/api/api.ts'
import { queryClient } from '#web/api/query-client.ts'

export const documentsQuery = queryOptions({
  queryKey: ['merchant-documents'],
  queryFn: ({ signal }) => call('GET /api/v1/auth/merchant-documents', { signal }),
})

/** These are the documents from now on; answers the server's words. */
export async function saveDocuments(documents: DocumentForm[]): Promise<string> {
  const { message, ...saved } = await call('PUT /api/v1/auth/merchant-documents', { body: { documents } })
  queryClient.setQueryData(documentsQuery.queryKey, saved)
  return message
}

/** A document that stays as it is; one that is on record without a file stays anyway. */
export const keptAs = ({ storage_object_id, kind }: MerchantDocument): DocumentForm[] =>
  storage_object_id ? [{ storage_object_id, kind }] : []
