import type { Db } from '#server/db/db.ts'
import { deliverNotifications } from '#server/features/notifications/deliver.ts'
import type { JobHandlers } from '#server/jobs/worker.ts'

export const notificationJobs = ({ db }: { db: Db }): Pick<JobHandlers, 'deliver_notifications'> => ({
  deliver_notifications: ({ user_id }) => deliverNotifications(db, user_id),
})
