import { FileText } from 'lucide-react'
import { businessActivities } from '#contract/business.ts'
import { useUser } from '#web/session.ts'
import { Page, Section } from '#web/shell/page.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { EmptyState } from '#web/ui/state.tsx'

export default function MerchantDocumentsPage() {
  const user = useUser()
  const activity = user?.business_activity && businessActivities[user.business_activity].label
  return (
    <Page title="Merchant documents">
      <Section title="Documents" about="Your scrap dealer licence and waste carrier registration.">
        <EmptyState icon={FileText} title="No documents yet">
          <p>Uploading opens soon, for jpeg, png, docx and pdf files. A licence is only required for those buying on the platform.</p>
        </EmptyState>
      </Section>
      <Section title="Your business" about="You change it under Your details.">
        <Facts
          rows={[
            ['Company', user?.company_name],
            ['Business activity', activity],
          ]}
        />
      </Section>
    </Page>
  )
}
