import { MarkAllRead, NotificationList } from '#web/features/notifications/notification-list.tsx'
import { PlaceLink } from '#web/navigation/place-link.tsx'
import { Page } from '#web/page/page.tsx'

export default function NotificationsPage() {
  return (
    <Page title="Notifications">
      <div className="max-w-3xl">
        <div className="-mt-3 flex flex-wrap items-center justify-between gap-x-6 pb-2">
          <PlaceLink to="account-notification-preferences" className="link inline-flex min-h-11 items-center">
            Settings
          </PlaceLink>
          <MarkAllRead />
        </div>
        <NotificationList />
      </div>
    </Page>
  )
}
