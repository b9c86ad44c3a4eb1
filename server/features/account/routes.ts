import type { FastifyInstance, FastifyRequest } from 'fastify'
import { accountEndpoints } from '#contract/account.ts'
import { sentences } from '#contract/values/sentences.ts'
import { changePassword, replaceTemporaryPassword, resetPassword } from '#server/features/account/change-password.ts'
import { logIn } from '#server/features/account/login.ts'
import type { Passwords } from '#server/features/account/passwords.ts'
import { presentAddress, presentUser, presentUserLite } from '#server/features/account/present.ts'
import { undoEmailChange, verifyEmail } from '#server/features/account/email.ts'
import { updateCompanyAddress, updateProfile } from '#server/features/account/profile.ts'
import { companyAddressOf, defaultAddressOf, findByEmail, restoreUntil } from '#server/features/account/queries.ts'
import { register } from '#server/features/account/register.ts'
import { accountLink, type PaymentDeps } from '#server/features/payments/public.ts'
import type { SecondFactors } from '#server/features/second-factor/public.ts'
import type { ReadSetting } from '#server/features/settings/public.ts'
import { networkOf, takeAttempt } from '#server/http/attempts.ts'
import type { Cookies } from '#server/http/cookies.ts'
import { refuse } from '#server/http/errors.ts'
import { serve } from '#server/http/serve.ts'
import { endSession, type SessionUser } from '#server/http/session.ts'
import { traceOf } from '#server/http/viewer.ts'
import { enqueue } from '#server/jobs/queue.ts'

export type AccountDeps = PaymentDeps & {
  cookies: Cookies
  readSetting: ReadSetting
  passwords: Passwords
  secondFactors: SecondFactors
}

export function accountRoutes(app: FastifyInstance, deps: AccountDeps): void {
  const { db, cookies, readSetting } = deps
  const lite = async (user: SessionUser) => presentUserLite(user, await restoreUntil(db, readSetting, user))
  const full = async (user: SessionUser) =>
    presentUser(user, await companyAddressOf(db, user.id), await restoreUntil(db, readSetting, user))

  /** To the payment provider while the account there is not completed. The profile is changed, whether or not the provider answers. */
  const linkOf = async (user: SessionUser, request: FastifyRequest): Promise<string | null> => {
    if (user.payment_account_completed) return null
    try {
      await takeAttempt(db, 'provider_link', user.id)
      return await accountLink(deps, user.id)
    } catch (error) {
      request.log.warn({ ...traceOf(request), err: error, event: 'no_provider_link' }, 'the payment provider gave no link')
      return null
    }
  }

  serve(app, accountEndpoints, {
    'POST /auth/login': async ({ body, viewer, request, reply }) => {
      const { user, session } = await logIn(deps, {
        email: body.email,
        password: body.password,
        otp: body.otp,
        deviceName: body.device_name ?? null,
        replaces: viewer.tokenHash,
        request,
      })
      cookies.setSession(reply, session)
      request.log.info({ ...traceOf(request), event: 'login', user_id: user.id }, 'logged in')
      return { data: { user: await lite(user) } }
    },

    'POST /auth/logout': async ({ viewer, reply }) => {
      if (viewer.tokenHash) await endSession(db, viewer.tokenHash)
      cookies.clearSession(reply)
    },

    'POST /api/v1/auth/register/web': async ({ body, viewer, request, reply }) => {
      await takeAttempt(db, 'register', networkOf(request.ip))
      const { user, session } = await register(deps, body, request)
      if (session) {
        if (viewer.tokenHash) await endSession(db, viewer.tokenHash)
        cookies.setSession(reply, session)
      }
      request.log.info({ ...traceOf(request), event: 'registered', user_id: user.id }, 'signed up')
      return { data: { user: await lite(user), logged_in: session !== undefined } }
    },

    'GET /api/v1/auth/me': async ({ viewer }) => ({ data: await full(viewer.user) }),

    'GET /api/v1/auth/me/lite': async ({ viewer }) => ({ data: await lite(viewer.user) }),

    'PUT /api/v1/auth/me': async ({ body, viewer, request }) => {
      const user = await updateProfile(deps, viewer.user, body)
      return { data: await full(user), link: await linkOf(user, request) }
    },

    'PUT /api/v1/auth/me/company-address': async ({ body, viewer }) => ({
      data: presentAddress(await updateCompanyAddress(db, viewer.user, body)),
    }),

    'GET /api/v1/auth/me/default-address': async ({ viewer }) => {
      const address = await defaultAddressOf(db, viewer.user.id)
      return { data: address ? presentAddress(address) : null }
    },

    'PUT /api/v1/auth/me/password': async ({ body, viewer, request, reply }) => {
      cookies.setSession(reply, await changePassword(deps, viewer.user, body))
      request.log.info({ ...traceOf(request), event: 'password_changed' }, 'password changed')
      return { message: sentences.passwordUpdated }
    },

    'POST /api/v1/auth/password/update': async ({ body, viewer, request, reply }) => {
      if (body.token) {
        await takeAttempt(db, 'token', networkOf(request.ip))
        await resetPassword(deps, body.token, body.password)
      } else if (viewer.caller === 'temporary_password') {
        cookies.setSession(reply, await replaceTemporaryPassword(deps, viewer.user, body.password))
      } else if (viewer.caller === 'visitor') {
        throw refuse('unauthenticated', 'Please log in.')
      } else {
        throw refuse('conflict', 'You are not using a temporary password. Change it in your account.')
      }
      request.log.info({ ...traceOf(request), event: 'password_changed' }, 'password changed')
      return { message: sentences.passwordUpdated }
    },

    'POST /api/v1/auth/password/reset': async ({ body, request }) => {
      const network = networkOf(request.ip)
      await takeAttempt(db, 'password_reset_address', network)
      // counted per address, as logins are: nobody uses up the owner's tries from elsewhere
      await takeAttempt(db, 'password_reset_email', `${network} ${body.email.toLowerCase()}`)
      const user = await findByEmail(db, body.email)
      if (user) await enqueue(db, 'send_password_reset', { user_id: user.id })
      return { message: sentences.checkYourEmail }
    },

    'GET /api/v1/auth/verify-email': async ({ query, request }) => {
      await takeAttempt(db, 'token', networkOf(request.ip))
      return { message: await verifyEmail(db, query.token) }
    },

    'POST /api/v1/auth/undo-email-change': async ({ body, request }) => {
      await takeAttempt(db, 'token', networkOf(request.ip))
      const email = await undoEmailChange(db, body.token)
      request.log.info({ ...traceOf(request), event: 'email_change_undone' }, 'email change undone')
      return { message: `${email} is the address of your account. If it was not you who changed it, choose a new password now.` }
    },

    'POST /api/v1/auth/verify-email': async ({ viewer }) => {
      if (viewer.user.email_verified_at) throw refuse('conflict', 'Your email address is confirmed already.')
      await takeAttempt(db, 'verify_email_send', viewer.user.id)
      await enqueue(db, 'send_verification', { user_id: viewer.user.id })
      return { message: sentences.checkYourEmail }
    },
  })
}
