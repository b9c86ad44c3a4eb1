import { sql } from 'kysely'
import { rowsOf, type Db, type Tx } from '#server/db/db.ts'
import { keepVatAnswer } from '#server/features/vat/public.ts'
import { enqueue } from '#server/jobs/queue.ts'
import type { JobHandlers } from '#server/jobs/worker.ts'
import { letter } from '#server/providers/letter.ts'
import type { Mailer } from '#server/providers/mail.ts'
import type { VatRegister } from '#server/providers/vat.ts'

type VatDeps = {
  db: Db
  vatRegister: VatRegister
  mailer: Mailer
  publicUrl: string
  /** Takes the next step of the sales that waited for this user. */
  recheckGate: (userId: string) => Promise<unknown>
}

// a business that has just registered is in the register some days later
const ASKED_AGAIN_AFTER = '6 hours'

/** The register is asked when a number is entered, when a sale begins to wait for it, and again while one waits. */
export function vatJobs({
  db,
  vatRegister,
  mailer,
  publicUrl,
  recheckGate,
}: VatDeps): Pick<JobHandlers, 'check_vat_number' | 'send_vat_failed'> {
  const userOf = (userId: string) =>
    db
      .selectFrom('users')
      .select(['email', 'first_name', 'vat_number', 'vat_status'])
      .where('id', '=', userId)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()

  return {
    async check_vat_number({ user_id }) {
      const vatNumber = (await userOf(user_id))?.vat_number
      const answer = vatNumber && (await vatRegister.check(vatNumber))
      if (!answer) return
      await db.transaction().execute(async (tx) => {
        const isNews = await keepVatAnswer(rowsOf(tx), { userId: user_id, vatNumber, answer })
        if (isNews && answer.outcome === 'failed') await enqueue(tx, 'send_vat_failed', { user_id })
        if (answer.outcome === 'failed' && (await isAskedAgain(tx, user_id))) {
          await enqueue(tx, 'check_vat_number', { user_id }, ASKED_AGAIN_AFTER)
        }
      })
      if (answer.outcome === 'valid') await recheckGate(user_id)
    },

    async send_vat_failed({ user_id }) {
      const user = await userOf(user_id)
      if (user?.vat_status !== 'failed') return
      await mailer.send(
        letter(user, 'We could not find your VAT number', {
          says: [
            `${user.vat_number} is not in the register of UK VAT numbers.`,
            'Please correct it, or tell us that you are not VAT registered. A sale has to wait until then.',
          ],
          action: { label: 'Correct it', url: `${publicUrl}/account/view-edit` },
          ends: 'Is the number new? We ask the register again before a sale has to wait for it.',
        }),
      )
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
