import { WaitingDocuments } from '#web/features/back-office/documents/waiting-documents.tsx'
import { Page } from '#web/page/page.tsx'

/** What waits for a decision: a row for each kind that has a screen. */
export function DeskPage() {
  return (
    <Page title="Desk" lead="Documents that wait for a decision.">
      <ul className="border-b border-line">
        <WaitingDocuments />
      </ul>
    </Page>
  )
}
