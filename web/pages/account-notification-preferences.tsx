import { Bell } from 'lucide-react'
import { useUser } from '#web/session.ts'
import { Page } from '#web/shell/page.tsx'
import { Section } from '#web/shell/sections.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { EmptyState } from '#web/ui/state.tsx'

export default function NotificationPreferencesPage() {
  const user = useUser()
  return (
    <Page title="Notifications">
      <Section title="What we tell you" about="You will choose here what, and how.">
        <EmptyState icon={Bell} title="Nothing to choose yet">
          <p>Until there are auctions, we write only about your account: confirming your email and changing your password.</p>
        </EmptyState>
      </Section>
      <Section title="Where we write" about="You change it under Your details.">
        <Facts
          rows={[
            ['We write to', user?.email],
            ['Email confirmed', user && (user.email_verified ? 'Yes' : 'Not yet')],
          ]}
        />
      </Section>
    </Page>
  )
}
