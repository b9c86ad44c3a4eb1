import { z } from 'zod'
import { endpoints } from '#contract/endpoint.ts'
import { knownPassword, message, otp, time } from '#contract/fields.ts'

export const secondFactorEndpoints = endpoints({
  'GET /api/v1/auth/second-factor': {
    summary: 'Whether the caller has a second factor, and needs one',
    access: 'enrolling',
    replies: {
      200: z.object({
        data: z.object({
          enabled: z.boolean(),
          since: time.nullable(),
          /** True for those who run the marketplace, except in the sandbox. */
          required: z.boolean(),
          recovery_codes_left: z.int(),
        }),
      }),
    },
  },
  'POST /api/v1/auth/second-factor': {
    summary: 'Begin to set up a second factor; 403 reauthentication_required if the password was given too long ago',
    access: 'enrolling',
    replies: {
      201: z.object({
        data: z.object({
          /** In base32, to type into an authenticator app. */
          secret: z.string(),
          /** The same as an address, for a QR code. */
          otpauth_url: z.string(),
        }),
      }),
    },
  },
  'POST /api/v1/auth/second-factor/confirm': {
    summary: 'Switch it on with its first code; the recovery codes are shown this once. Ends every other session',
    access: 'enrolling',
    body: z.strictObject({ otp }),
    replies: { 200: z.object({ data: z.object({ recovery_codes: z.array(z.string()) }) }) },
  },
  'POST /api/v1/auth/second-factor/disable': {
    summary: 'Switch it off; ends every other session',
    access: 'member',
    body: z.strictObject({ password: knownPassword, otp }),
    replies: { 200: message },
  },
  'POST /api/v1/auth/reauthenticate': {
    summary: 'Give the password again, and a code where there is a second factor: needed for what moves money',
    access: 'enrolling',
    body: z.strictObject({ password: knownPassword, otp: otp.optional() }),
    replies: { 200: z.object({ data: z.object({ fresh_until: time }) }) },
  },
})
