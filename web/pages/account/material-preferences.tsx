import { Layers } from 'lucide-react'
import { useUser } from '#web/api/session.ts'
import { Page } from '#web/page/page.tsx'
import { Section } from '#web/page/sections.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { EmptyState } from '#web/ui/state.tsx'

export default function MaterialPreferencesPage() {
  const user = useUser()
  const isTold = user?.permissions.market_get_notifications.enabled
  return (
    <Page title="Materials">
      <Section title="What you buy" about="Which materials, and how far you go for them.">
        <EmptyState icon={Layers} title="Nothing to choose yet">
          <p>
            The choice opens with the market: ferrous, copper, brass, aluminium, lead, zinc, stainless and the rest, by postcode and miles.
          </p>
        </EmptyState>
      </Section>
      <Section title="Enquiries" about="What your tier lets you have.">
        <Facts rows={[['Told of new enquiries', user && (isTold ? 'Yes, with your tier' : 'Not with your tier')]]} />
      </Section>
    </Page>
  )
}
