import { useQuery } from '@tanstack/react-query'
import { useUser } from '#web/api/session.ts'
import { licenceWords } from '#web/features/documents/document-words.ts'
import { DocumentsForm } from '#web/features/documents/documents-form.tsx'
import { documentsQuery } from '#web/features/documents/queries.ts'
import { SavedDocuments } from '#web/features/documents/saved-documents.tsx'
import { Records } from '#web/features/papers/records.tsx'
import { Page } from '#web/page/page.tsx'
import { Section, useArrivalAt } from '#web/page/sections.tsx'
import { Callout } from '#web/ui/callout.tsx'
import { FormSkeleton } from '#web/ui/skeleton.tsx'
import { FailedState } from '#web/ui/state.tsx'

export default function MerchantDocumentsPage() {
  const user = useUser()
  const { data: documents, error, isPending, isFetching, refetch } = useQuery(documentsQuery)
  useArrivalAt(documents !== undefined)
  if (!user || isPending)
    return (
      <Page title="Merchant documents">
        <FormSkeleton fields={2} />
      </Page>
    )
  if (!documents)
    return (
      <Page title="Merchant documents">
        <FailedState message={error?.message ?? ''} onRetry={() => void refetch()} isRetrying={isFetching} />
      </Page>
    )
  const { look, title, says } = licenceWords(documents.licence, documents.server_time)
  return (
    <Page title="Merchant documents">
      <div>
        <div className="pb-8">
          <Callout look={look} title={title}>
            <p>{says}</p>
          </Callout>
        </div>
        {documents.data.length > 0 && (
          <Section title="Your documents" about="Only you and those who check them can open them.">
            <SavedDocuments documents={documents.data} serverTime={documents.server_time} />
          </Section>
        )}
        <Section
          title={documents.data.length > 0 ? 'Add documents' : 'Upload documents'}
          about="Your scrap dealer licence and waste carrier registration. The licence is only required for those buying on the platform."
        >
          <DocumentsForm userId={user.id} saved={documents.data} submit="Upload" onSaved={() => {}} />
        </Section>
        <Section
          id="records"
          title="Scrap metal records"
          about="What you received and disposed of here, as the Scrap Metal Dealers Act 2013 asks. Keep them for three years."
        >
          <Records />
        </Section>
      </div>
    </Page>
  )
}
