import { sql } from 'kysely'
import { rowsOf, type Db, type Tx } from '#server/db/db.ts'
import { keepVatAnswer } from '#server/features/vat/public.ts'
import { notify } from '#server/features/notifications/public.ts'
import { runningJobId } from '#server/jobs/message-ids.ts'
import { enqueue } from '#server/jobs/queue.ts'
import type { JobHandlers } from '#server/jobs/worker.ts'
import type { VatRegister } from '#server/providers/vat.ts'

type VatDeps = {
  db: Db
  vatRegister: VatRegister
  /** Takes the next step of the sales that waited for this user. */
  recheckGate: (userId: string) => Promise<unknown>
}

// a business that has just registered is in the register some days later
const ASKED_AGAIN_AFTER = '6 hours'

/** The register is asked when a number is entered, when a sale begins to wait for it, and again while one waits. */
export function vatJobs({ db, vatRegister, recheckGate }: VatDeps): Pick<JobHandlers, 'check_vat_number'> {
  const userOf = (userId: string) =>
    db.selectFrom('users').select('vat_number').where('id', '=', userId).where('deleted_at', 'is', null).executeTakeFirst()

  return {
    async check_vat_number({ user_id }) {
      const vatNumber = (await userOf(user_id))?.vat_number
      const answer = vatNumber && (await vatRegister.check(vatNumber))
      if (!answer) return
      await db.transaction().execute(async (tx) => {
        const isNews = await keepVatAnswer(rowsOf(tx), { userId: user_id, vatNumber, answer })
        if (isNews && answer.outcome === 'failed')
          await notify(tx, {
            kind: 'vat',
            to: user_id,
            source: `vat:${runningJobId()}`,
            facts: { vat_number: vatNumber },
            link: '/account/view-edit',
          })
        if (answer.outcome === 'failed' && (await isAskedAgain(tx, user_id))) {
          await enqueue(tx, 'check_vat_number', { user_id }, ASKED_AGAIN_AFTER)
        }
      })
      if (answer.outcome === 'valid') await recheckGate(user_id)
    },
  }
}

/** Whether to ask again later: a sale waits for the number, and no other check is queued. */
async function isAskedAgain(tx: Tx, userId: string): Promise<boolean> {
  const { rows } = await sql`
    select from listings
    where seller_id = ${userId}
      and status = 'AwaitingVatNumberVerification'
      and not exists (
        select from jobs
        where kind = 'check_vat_number' and payload ->> 'user_id' = ${userId} and run_at > app_now() and failed_at is null
      )
    limit 1`.execute(tx)
  return rows.length > 0
}
