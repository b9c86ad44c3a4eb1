import { WaitingDocuments } from '#web/features/back-office/documents/waiting-documents.tsx'
import { Page } from '#web/page/page.tsx'

/** What waits for a decision, one row for each kind. */
export function DeskPage() {
  return (
    <Page title="Desk" lead="What waits for a decision. Each opens where it is decided.">
      <ul className="border-b border-line">
        <WaitingDocuments />
      </ul>
    </Page>
  )
}
