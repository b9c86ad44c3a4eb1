import type { Db } from '#server/db/db.ts'
import { endEnquiry, remindOfEnquiry } from '#server/features/market/enquiries/life.ts'
import { matchEnquiry } from '#server/features/market/match.ts'
import type { JobHandlers } from '#server/jobs/worker.ts'

export function marketJobs({ db }: { db: Db }): Pick<JobHandlers, 'match_enquiry' | 'end_enquiry' | 'remind_of_enquiry'> {
  return {
    match_enquiry: ({ enquiry_id }) => matchEnquiry(db, enquiry_id),
    end_enquiry: ({ enquiry_id }) => endEnquiry(db, enquiry_id),
    remind_of_enquiry: ({ enquiry_id, ends_at }) => remindOfEnquiry(db, enquiry_id, ends_at),
  }
}
