import type { FastifyInstance } from 'fastify'
import { deletionEndpoints } from '#contract/account.ts'
import type { Db } from '#server/db/db.ts'
import { presentUserLite } from '#server/features/account/public.ts'
import { deleteAccount, restoreAccount } from '#server/features/deletion/actions.ts'
import type { ReadSetting } from '#server/features/settings/public.ts'
import type { Cookies } from '#server/http/cookies.ts'
import { serve } from '#server/http/serve.ts'

export type DeletionDeps = { db: Db; readSetting: ReadSetting; cookies: Cookies }

export function deletionRoutes(app: FastifyInstance, { db, readSetting, cookies }: DeletionDeps): void {
  serve(app, deletionEndpoints, {
    'DELETE /api/v1/auth/me': async ({ viewer, reply }) => {
      await deleteAccount(db, readSetting, viewer.user, null)
      cookies.clearSession(reply)
    },

    'POST /api/v1/auth/me/delete': async ({ body, viewer, reply }) => {
      await deleteAccount(db, readSetting, viewer.user, body.reason)
      cookies.clearSession(reply)
    },

    'POST /api/v1/auth/me/restore': async ({ viewer }) => ({ data: presentUserLite(await restoreAccount(db, readSetting, viewer.user)) }),
  })
}
