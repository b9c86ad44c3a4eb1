import { useQuery } from '@tanstack/react-query'
import { useUser } from '#web/api/session.ts'
import { PushHere } from '#web/features/notifications/settings/push-here.tsx'
import { settingsQuery } from '#web/features/notifications/settings/queries.ts'
import { SettingsForm } from '#web/features/notifications/settings/settings-form.tsx'
import { Page } from '#web/page/page.tsx'
import { Section } from '#web/page/sections.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { FormSkeleton } from '#web/ui/skeleton.tsx'
import { FailedState } from '#web/ui/state.tsx'

export default function NotificationPreferencesPage() {
  const user = useUser()
  const { data: settings, error, isPending, isFetching, refetch } = useQuery(settingsQuery)
  return (
    <Page title="Notifications" lead="What we tell you of, and how: in the app at the bell, by email, or by push to your devices.">
      <div>
        <Section title="Push on this device">
          <PushHere />
        </Section>
        <Section title="Where we write" about="You change it under Your details.">
          <Facts
            rows={[
              ['We write to', user?.email],
              ['Email confirmed', user && (user.email_verified ? 'Yes' : 'Not yet')],
            ]}
          />
        </Section>
        {settings ? (
          <SettingsForm settings={settings} />
        ) : isPending ? (
          <Section title="What we tell you">
            <FormSkeleton fields={6} />
          </Section>
        ) : (
          <FailedState message={error.message} onRetry={() => void refetch()} isRetrying={isFetching} />
        )}
      </div>
    </Page>
  )
}
