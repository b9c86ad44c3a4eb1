import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { ArrowLeft, FileX } from 'lucide-react'
import type { ReactNode } from 'react'
import { documentKinds } from '#contract/values/document-kinds.ts'
import { ApiError, messageOf } from '#web/api/api-error.ts'
import { Decision } from '#web/features/back-office/documents/decision.tsx'
import { DocumentView } from '#web/features/back-office/documents/document-view.tsx'
import { documentQuery } from '#web/features/back-office/documents/queries.ts'
import { PlaceLink } from '#web/navigation/place-link.tsx'
import { Heading } from '#web/page/page.tsx'
import { buttonLook } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { EmptyState, FailedState } from '#web/ui/state.tsx'

export function DocumentPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const { data: document, error, isPending, isFetching, refetch } = useQuery(documentQuery(id))
  if (document)
    return (
      <Framed title={`${documentKinds[document.kind]} of ${document.user.company_name}`}>
        <div className="grid gap-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,26rem)]">
          <DocumentView document={document} />
        </div>
        <section aria-label="Decision" className="border-t border-line pt-6">
          <Decision key={id} document={document} />
        </section>
      </Framed>
    )
  if (isPending)
    return (
      <Framed title="Document">
        <div role="status" className="grid gap-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,26rem)]">
          <span className="sr-only">Loading the document…</span>
          <Skeleton className="h-96 w-full" />
          <Skeleton className="h-96 w-full" />
        </div>
      </Framed>
    )
  if (error instanceof ApiError && error.status === 404)
    return (
      <Framed title="Document">
        <EmptyState icon={FileX} title="This document is gone">
          <p>Its owner may have removed or replaced it.</p>
        </EmptyState>
      </Framed>
    )
  return (
    <Framed title="Document">
      <FailedState message={messageOf(error)} onRetry={() => void refetch()} isRetrying={isFetching} />
    </Framed>
  )
}

function Framed({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="grid content-start gap-6">
      <div className="grid gap-2">
        <PlaceLink to="admin-documents" className={buttonLook('quiet', '-my-2 -ml-4 justify-self-start')}>
          <ArrowLeft className="size-4" aria-hidden="true" />
          Documents
        </PlaceLink>
        <Heading className="text-28 wrap-anywhere">{title}</Heading>
      </div>
      {children}
    </div>
  )
}
