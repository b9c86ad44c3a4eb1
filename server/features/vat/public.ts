import type { Db, ReadRows } from '#server/db/db.ts'
import { lockUserOn } from '#server/db/user.ts'
import { takeAttempt } from '#server/http/attempts.ts'
import { refuse, refuseField } from '#server/http/errors.ts'
import { VatRegisterUnavailable, type VatAnswer, type VatRegister } from '#server/providers/vat.ts'

export type AskVat = (userId: string, vatNumber: string) => Promise<VatAnswer>

/** Asks the register during a request: refuses a number that is not in it. */
export const vatAsker =
  ({ db, vatRegister }: { db: Db; vatRegister: VatRegister }): AskVat =>
  async (userId, vatNumber) => {
    await takeAttempt(db, 'vat_check', userId)
    const answer = await vatRegister.check(vatNumber).catch((error: unknown) => {
      if (!(error instanceof VatRegisterUnavailable)) throw error
    })
    if (!answer) {
      throw refuse('unavailable', 'The VAT register does not answer. Nothing was changed: please try again in a few minutes.', {
        retryAfterSeconds: 60,
      })
    }
    if (answer.outcome === 'failed') {
      throw refuseField('vat_number', 'This number is not in the VAT register. Correct it, or say that you are not VAT registered.')
    }
    return answer
  }

type VatCheck = { userId: string; vatNumber: string; answer: VatAnswer }

/**
 * Stores the register's answer, if the number is still the user's. Answers whether the user's VAT status changed by it.
 */
export async function keepVatAnswer(rows: ReadRows, { userId, vatNumber, answer }: VatCheck): Promise<boolean> {
  const { reference, registeredName } = answer.outcome === 'valid' ? answer : { reference: null, registeredName: null }
  // locked first: a number that is changed meanwhile waits, and is checked by itself
  const user = await lockUserOn(rows, userId)
  if (user?.vat_number !== vatNumber || user.erased_at) return false
  await rows('insert into vat_checks (user_id, vat_number, outcome, reference, registered_name) values ($1, $2, $3, $4, $5)', [
    userId,
    vatNumber,
    answer.outcome,
    reference,
    registeredName,
  ])
  await rows('update users set vat_status = $2, updated_at = app_now() where id = $1', [userId, answer.outcome])
  return user.vat_status !== answer.outcome
}
