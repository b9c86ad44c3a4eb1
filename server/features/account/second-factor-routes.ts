import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { secondFactorEndpoints } from '#contract/people/second-factor.ts'
import { now } from '#server/db/clock.ts'
import type { Db, Tx } from '#server/db/db.ts'
import { isPassword } from '#server/features/account/passwords.ts'
import { countRecoveryCodes, type SecondFactors } from '#server/features/second-factor/public.ts'
import { clearAttempts, forgiveAttempt, takeAttempt } from '#server/http/attempts.ts'
import { refuse, refuseField } from '#server/http/errors.ts'
import { serve } from '#server/http/serve.ts'
import { endSessionsOf, FRESH_FOR, refuseStalePassword, type SessionUser } from '#server/http/session.ts'
import { traceOf } from '#server/http/viewer.ts'
import { enqueue } from '#server/jobs/queue.ts'

export type SecondFactorDeps = { db: Db; secondFactors: SecondFactors; config: { sandbox: boolean } }

export function secondFactorRoutes(app: FastifyInstance, { db, secondFactors, config }: SecondFactorDeps): void {
  /** What changes how somebody logs in ends the other sessions, and is told by email. */
  const changed = async (tx: Tx, user: SessionUser, kept: Buffer, enabled: boolean) => {
    await endSessionsOf(tx, user.id, kept)
    await enqueue(tx, 'send_second_factor_changed', { user_id: user.id, enabled })
  }

  serve(app, secondFactorEndpoints, {
    'GET /api/v1/auth/second-factor': async ({ viewer: { user } }) => ({
      data: {
        enabled: user.second_factor_since !== null,
        since: user.second_factor_since?.toISOString() ?? null,
        required: user.role !== null && !config.sandbox,
        recovery_codes_left: await countRecoveryCodes(db, user.id),
      },
    }),

    // whoever finds a screen unlocked must not lock its owner out
    'POST /api/v1/auth/second-factor': async ({ viewer }) => {
      refuseStalePassword(viewer)
      return { data: await secondFactors.enrol(viewer.user) }
    },

    'POST /api/v1/auth/second-factor/confirm': async ({ body, viewer, request }) => {
      const { user, tokenHash } = viewer
      const attempt = await takeAttempt(db, 'second_factor', user.id)
      const recovery_codes = await db.transaction().execute(async (tx) => {
        const codes = await secondFactors.confirm(tx, user, body.otp)
        await changed(tx, user, tokenHash, true)
        return codes
      })
      await clearAttempts(db, attempt)
      request.log.info({ ...traceOf(request), event: 'second_factor_enabled' }, 'second factor enabled')
      return { data: { recovery_codes } }
    },

    'POST /api/v1/auth/second-factor/disable': async ({ body, viewer, request }) => {
      const { user, tokenHash } = viewer
      if (!user.second_factor_since) throw refuse('conflict', 'You have no second factor.', { code: 'second_factor_disabled' })
      await confirmPassword(db, user, body.password)
      await secondFactors.withCode(user, body.otp, async (tx) => {
        await secondFactors.disable(tx, user.id)
        await changed(tx, user, tokenHash, false)
      })
      request.log.info({ ...traceOf(request), event: 'second_factor_disabled' }, 'second factor disabled')
      return { message: 'Your second factor is switched off.' }
    },

    'POST /api/v1/auth/reauthenticate': async ({ body, viewer, request }) => {
      await confirmPassword(db, viewer.user, body.password)
      const fresh_until = await secondFactors.withCode(viewer.user, body.otp, async (tx) => {
        const { until } = await tx
          .updateTable('sessions')
          .set({ password_confirmed_at: now })
          .where('token_hash', '=', viewer.tokenHash)
          .returning(sql<Date>`password_confirmed_at + ${FRESH_FOR}::interval`.as('until'))
          .executeTakeFirstOrThrow()
        return until.toISOString()
      })
      request.log.info({ ...traceOf(request), event: 'reauthenticated' }, 'password given again')
      return { data: { fresh_until } }
    },
  })
}

async function confirmPassword(db: Db, user: SessionUser, password: string): Promise<void> {
  const attempt = await takeAttempt(db, 'password_check', user.id)
  if (!(await isPassword(password, user.password_hash))) throw refuseField('password', 'This is not your password')
  await forgiveAttempt(db, attempt)
}
