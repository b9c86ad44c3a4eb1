import { useUser } from '#web/api/session.ts'
import { Page } from '#web/page/page.tsx'
import { Section } from '#web/page/sections.tsx'
import { Facts } from '#web/ui/facts.tsx'

export default function NotificationPreferencesPage() {
  const user = useUser()
  return (
    <Page title="Notifications">
      <Section title="What we tell you" about="On whatever page you are, or by email.">
        <Facts
          rows={[
            ['You are outbid, win or get an offer', 'At once, on the page'],
            ['What you sell or buy goes on', 'By email'],
            ['A listing that you watch ends soon', 'By email'],
            ['A saved search finds a new listing', 'By email, where you asked for it'],
            ['Your account and your subscription', 'By email'],
          ]}
        />
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
