import type { Db } from '#server/db/db.ts'
import { matchListing } from '#server/features/preferences/listings.ts'
import type { JobHandlers } from '#server/jobs/worker.ts'

export const preferenceJobs = ({ db }: { db: Db }): Pick<JobHandlers, 'match_preferences'> => ({
  match_preferences: ({ listing_id }) => matchListing(db, listing_id),
})
