import { formatDay } from '#domain/format-time.ts'
import type { Db } from '#server/db/db.ts'
import { findUser } from '#server/features/account/public.ts'
import { eraseAccount } from '#server/features/deletion/actions.ts'
import type { ReadSetting } from '#server/features/settings/public.ts'
import type { JobHandlers } from '#server/jobs/worker.ts'
import { letter } from '#server/providers/letter.ts'
import type { Mailer } from '#server/providers/mail.ts'

type JobDeps = { db: Db; mailer: Mailer; publicUrl: string; readSetting: ReadSetting }

export function deletionJobs({ db, mailer, publicUrl, readSetting }: JobDeps): Pick<JobHandlers, 'send_account_deleted' | 'erase_account'> {
  return {
    async send_account_deleted({ user_id, restore_until }) {
      const user = await findUser(db, user_id)
      if (!user || user.erased_at) return
      await mailer.send(
        letter(user, 'Your account was deleted', {
          says: [
            `Your Yardbid account is deleted. If you change your mind, log in until ${formatDay(new Date(restore_until))} and restore it; after that your personal details are erased.`,
          ],
          action: { label: 'Restore my account', url: `${publicUrl}/login` },
          ends: 'Records of completed sales are kept as the law asks.',
        }),
      )
    },

    erase_account: ({ user_id }) => eraseAccount(db, readSetting, user_id),
  }
}
