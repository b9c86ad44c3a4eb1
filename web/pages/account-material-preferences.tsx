import { Layers } from 'lucide-react'
import { useUser } from '#web/session.ts'
import { Page } from '#web/shell/page.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { EmptyState } from '#web/ui/state.tsx'

export default function MaterialPreferencesPage() {
  const user = useUser()
  const isTold = user?.permissions.market_get_notifications.enabled
  return (
    <Page title="Materials" lead="You will say here which materials you buy, and how far you go for them.">
      <Facts rows={[['Told of new enquiries', user && (isTold ? 'Yes, with your tier' : 'Not with your tier')]]} />
      <EmptyState icon={Layers} title="Nothing to choose yet">
        <p>
          The choice opens with the market: ferrous, copper, brass, aluminium, lead, zinc, stainless and the rest, by postcode and miles.
        </p>
      </EmptyState>
    </Page>
  )
}
