import { z } from 'zod'
import { businessActivities, businessTypes, type BusinessActivity, type BusinessType } from '#contract/values/business.ts'
import { endpoints } from '#contract/endpoint.ts'
import {
  addressFields,
  contactNumber,
  dateOfBirth,
  email,
  keysOf,
  knownPassword,
  message,
  newPassword,
  personName,
  text,
  time,
  vatNumber,
  otp,
} from '#contract/fields.ts'
import { COMPANY_NAME_MAX, REASON_MAX } from '#contract/values/limits.ts'
import { permissions, tiers, roles } from '#contract/values/permissions.ts'

const businessType = z.enum(keysOf<BusinessType>(businessTypes), 'Choose Company or Individual')
const businessActivity = z.enum(keysOf<BusinessActivity>(businessActivities), 'Choose what your business does')

export const address = z
  .object({
    id: z.string(),
    address_line_1: z.string(),
    address_line_2: z.string().nullable(),
    town: z.string(),
    county: z.string().nullable(),
    country: z.string().nullable(),
    post_code: z.string(),
    latitude: z.number(),
    longitude: z.number(),
    is_default_address: z.boolean(),
    is_company_address: z.boolean(),
  })
  .meta({ id: 'Address' })

const vat = {
  vat_number: z.union([vatNumber, z.literal('').transform(() => null)], 'Enter a UK VAT number such as GB123456789').nullish(),
  not_vat_registered: z.boolean().default(false),
}

// Both are judged even when other fields are wrong, so that one answer names everything there is to mend.
const always = { when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null }

type Vat = { vat_number?: string | null | undefined; not_vat_registered?: boolean | undefined }
const vatIsSettled = (body: Vat) => Boolean(body.vat_number) || body.not_vat_registered === true
const vatMissing = { path: ['vat_number'], message: "VAT number is required unless you tick 'Not VAT registered'", ...always }

const confirmed = {
  check: (body: { password: string; password_confirmation: string }) => body.password === body.password_confirmation,
  problem: { path: ['password_confirmation'], message: 'The two passwords differ', ...always },
}
const passwordPair = { password: newPassword, password_confirmation: z.string({ error: 'Confirm the password' }) }

export const registration = z
  .strictObject({
    first_name: personName('First name'),
    surname: personName('Surname'),
    business_type: businessType,
    business_activity: businessActivity.nullish(),
    address: z.strictObject({
      ...addressFields,
      set_default_address: z.boolean().default(false),
      set_company_address: z.boolean().default(true),
    }),
    profile: z.strictObject({
      date_of_birth: dateOfBirth,
      company_name: personName('Company name', COMPANY_NAME_MAX),
      contact_number: contactNumber,
      terms_accepted: z.literal(true, 'Accept the terms and the privacy policy to sign up'),
    }),
    email,
    ...passwordPair,
    ...vat,
  })
  .refine(confirmed.check, confirmed.problem)
  .refine(vatIsSettled, vatMissing)

export const userLite = z
  .object({
    id: z.string(),
    email: z.string(),
    email_verified: z.boolean(),
    first_name: z.string(),
    surname: z.string(),
    business_type: businessType,
    business_activity: businessActivity.nullable(),
    company_name: z.string(),
    onboarded: z.boolean(),
    suspended: z.boolean(),
    permissions: z.record(z.enum(permissions), z.object({ enabled: z.boolean() })),
    subscription: z.object({
      tier: z.enum(tiers),
      status: z.string().nullable(),
      trial_ends_at: time.nullable(),
      /** `account_needs_more`: set up, and yet the provider asks for something before it verifies. */
      stripe: z.object({ account_completed: z.boolean(), account_verified: z.boolean(), account_needs_more: z.boolean() }),
    }),
    onboarding: z.object({ step: z.object({ stage: z.int(), subscription_page: z.int() }).nullable() }),
    is_using_temporary_password: z.boolean(),
    call_to_complete_notification_settings: z.object({ show: z.boolean() }),
    call_to_setup_market_preferences: z.object({ show: z.boolean() }),
    is_admin: z.boolean(),
    /** Which part of the back office is open to the user; null for none. */
    role: z.enum(roles).nullable(),
    has_second_factor: z.boolean(),
    /** Set while a deleted account can still be restored. */
    deletion: z.object({ restore_until: time }).nullable(),
  })
  .meta({ id: 'UserLite' })
export type UserLite = z.output<typeof userLite>

export const user = userLite
  .extend({
    /** Takes the place of `email` when it is confirmed. */
    new_email: z.string().nullable(),
    vat_number: z.string().nullable(),
    not_vat_registered: z.boolean(),
    /** Whether the VAT register knows the number. */
    vat_status: z.enum(['unchecked', 'valid', 'failed']),
    profile: z.object({ date_of_birth: z.iso.date(), company_name: z.string(), contact_number: z.string() }),
    company_address: address.nullable(),
    created_at: time,
  })
  .meta({ id: 'User' })
export type User = z.output<typeof user>

const userReply = { 200: z.object({ data: user }) }

export const accountEndpoints = endpoints({
  'POST /auth/login': {
    summary: 'Log in; the answer sets the session cookie and a new XSRF-TOKEN. 422 with errors.otp asks for a code of the second factor',
    access: 'anyone',
    body: z.strictObject({
      email: text(1_000, 'Email is required').min(1, 'Email is required'),
      password: knownPassword,
      device_name: text(100).optional(),
      otp: otp.optional(),
    }),
    replies: { 200: z.object({ data: z.object({ user: userLite }) }) },
  },
  'POST /auth/logout': { summary: 'Log out', access: 'anyone', replies: { 204: null } },
  'POST /api/v1/auth/register/web': {
    summary: 'Sign up; logs in too, except where the account is checked first',
    access: 'anyone',
    body: registration,
    replies: { 201: z.object({ data: z.object({ user: userLite, logged_in: z.boolean() }) }) },
  },
  'GET /api/v1/auth/me': { summary: 'The current user in full', access: 'signed_in', replies: userReply },
  'GET /api/v1/auth/me/lite': {
    summary: 'The current user, what every page needs',
    access: 'signed_in',
    replies: { 200: z.object({ data: userLite }) },
  },
  'PUT /api/v1/auth/me': {
    summary: 'Change what is given; a new email needs the current password, and counts once it is confirmed',
    access: 'member',
    body: z
      .strictObject({
        first_name: personName('First name'),
        surname: personName('Surname'),
        business_type: businessType,
        business_activity: businessActivity,
        profile: z
          .strictObject({
            date_of_birth: dateOfBirth,
            company_name: personName('Company name', COMPANY_NAME_MAX),
            contact_number: contactNumber,
          })
          .partial(),
        email,
        current_password: knownPassword,
        vat_number: vat.vat_number,
        not_vat_registered: z.boolean(),
      })
      .partial(),
    /** `link` leads to the payment provider while the account there is not completed. */
    replies: { 200: z.object({ data: user, link: z.string().nullable() }) },
  },
  'PUT /api/v1/auth/me/company-address': {
    summary: 'Replace the company address',
    access: 'member',
    body: z.strictObject({
      ...addressFields,
      set_default_address: z.boolean().default(false),
      set_company_address: z.literal(true).default(true),
    }),
    replies: { 200: z.object({ data: address }) },
  },
  'GET /api/v1/auth/me/default-address': {
    summary: 'The address that forms start with',
    access: 'member',
    replies: { 200: z.object({ data: address.nullable() }) },
  },
  'PUT /api/v1/auth/me/password': {
    summary: 'Change the password; ends every other session',
    access: 'password_changer',
    body: z.strictObject({ current_password: knownPassword, ...passwordPair }).refine(confirmed.check, confirmed.problem),
    replies: { 200: message },
  },
  'POST /api/v1/auth/password/update': {
    summary: 'Set a password in place of a temporary one, or with the token of a forgot-password email',
    access: 'anyone',
    body: z.strictObject({ token: z.string().min(1).max(200).optional(), ...passwordPair }).refine(confirmed.check, confirmed.problem),
    replies: { 200: message },
  },
  'POST /api/v1/auth/password/reset': {
    summary: 'Forgot password: answers alike whether or not the email is known',
    access: 'anyone',
    body: z.strictObject({ email }),
    replies: { 200: message },
  },
  'GET /api/v1/auth/verify-email': {
    summary: 'Confirm the email address by the token that was sent to it',
    access: 'anyone',
    query: z.object({ token: z.string().min(1).max(200) }),
    replies: { 200: message },
  },
  'POST /api/v1/auth/undo-email-change': {
    summary: 'Take a change of email back, by the token that was sent to the old address',
    access: 'anyone',
    body: z.strictObject({ token: z.string().min(1).max(200) }),
    replies: { 200: message },
  },
  'POST /api/v1/auth/verify-email': { summary: 'Send the confirmation email again', access: 'member', replies: { 200: message } },
})

export const deletionEndpoints = endpoints({
  'DELETE /api/v1/auth/me': { summary: 'Delete the account; it can be restored for a while', access: 'member', replies: { 204: null } },
  'POST /api/v1/auth/me/delete': {
    summary: 'Delete the account and say why',
    access: 'member',
    body: z.strictObject({ reason: text(REASON_MAX, 'Tell us why').min(1, 'Tell us why') }),
    replies: { 204: null },
  },
  'POST /api/v1/auth/me/restore': {
    summary: 'Restore a deleted account',
    access: 'deleted',
    replies: { 200: z.object({ data: userLite }) },
  },
})
