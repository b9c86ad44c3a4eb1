import { Link } from '@tanstack/react-router'
import { documentStatuses, type DocumentStatus } from '#contract/values/document-kinds.ts'
import { places } from '#contract/values/places.ts'
import { DocumentList } from '#web/features/back-office/documents/document-list.tsx'
import { statusNames } from '#web/features/back-office/documents/status-names.ts'
import { useSearchText } from '#web/navigation/search-text.ts'
import { Page } from '#web/page/page.tsx'

/** Licences and other papers of merchants. The address says which tab is open. */
export function DocumentsPage() {
  const asked = useSearchText('status')
  const status = documentStatuses.find((one) => one === asked) ?? 'pending'
  return (
    <Page title="Documents">
      <div className="grid gap-4">
        <Tabs current={status} />
        <DocumentList key={status} status={status} />
      </div>
    </Page>
  )
}

function Tabs({ current }: { current: DocumentStatus }) {
  return (
    <nav aria-label="Documents by status" className="border-b border-line">
      <ul className="flex gap-1">
        {documentStatuses.map((status) => (
          <li key={status}>
            <Link
              to={places['admin-documents'].path}
              search={status === 'pending' ? {} : { status }}
              aria-current={status === current ? 'page' : undefined}
              resetScroll={false}
              className="-mb-px flex min-h-11 items-center border-b-2 border-transparent px-3 text-muted -outline-offset-2 hover:text-ink aria-[current=page]:border-copper aria-[current=page]:font-strong aria-[current=page]:text-ink"
            >
              {statusNames[status]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
