import { deliverNotifications } from '#server/features/notifications/deliver.ts'
import { sendDigestEmail, sendNotificationEmail, type EmailDeps } from '#server/features/notifications/emails.ts'
import { sendPushMessage } from '#server/features/notifications/push-messages.ts'
import type { JobHandlers } from '#server/jobs/worker.ts'
import type { PushSender } from '#server/providers/push.ts'

type NotificationJob = 'deliver_notifications' | 'send_notification_email' | 'send_digest_email' | 'send_push_message'

export const notificationJobs = (deps: EmailDeps & { push: PushSender }): Pick<JobHandlers, NotificationJob> => ({
  deliver_notifications: ({ user_id }) => deliverNotifications(deps.db, user_id),
  send_notification_email: ({ notification_id }) => sendNotificationEmail(deps, notification_id),
  send_digest_email: ({ user_id, digest }) => sendDigestEmail(deps, user_id, digest),
  send_push_message: ({ notification_id }) => sendPushMessage(deps, notification_id),
})
