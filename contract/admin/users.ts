import { z } from 'zod'
import { merchantDocument } from '#contract/documents.ts'
import { endpoints } from '#contract/endpoint.ts'
import { cursorMeta, keysOf, pageQuery, text, time } from '#contract/fields.ts'
import { strike } from '#contract/sales/terms.ts'
import { businessActivities, businessTypes, type BusinessActivity, type BusinessType } from '#contract/values/business.ts'
import { REASON_MAX } from '#contract/values/limits.ts'
import { roles, tiers } from '#contract/values/permissions.ts'

// Users as those see them who run the marketplace.

const listedUser = z
  .object({
    id: z.string(),
    email: z.string(),
    first_name: z.string(),
    surname: z.string(),
    company_name: z.string(),
    business_type: z.enum(keysOf<BusinessType>(businessTypes)),
    business_activity: z.enum(keysOf<BusinessActivity>(businessActivities)).nullable(),
    /** Of the company's address. */
    post_code: z.string().nullable(),
    tier: z.enum(tiers),
    role: z.enum(roles).nullable(),
    created_at: time,
    /** Null while the account of a collector waits to be opened. */
    opened_at: time.nullable(),
    suspended_at: time.nullable(),
    deleted_at: time.nullable(),
  })
  .meta({ id: 'ListedUser' })
export type ListedUser = z.output<typeof listedUser>

const userDetails = listedUser
  .extend({
    email_verified_at: time.nullable(),
    contact_number: z.string(),
    date_of_birth: z.string(),
    vat_number: z.string().nullable(),
    not_vat_registered: z.boolean(),
    vat_status: z.string(),
    addresses: z.array(
      z.object({
        address_line_1: z.string(),
        address_line_2: z.string().nullable(),
        town: z.string(),
        county: z.string().nullable(),
        post_code: z.string(),
        is_company_address: z.boolean(),
        is_default_address: z.boolean(),
      }),
    ),
    /** Null when onboarding is done. */
    onboarding_stage: z.int().nullable(),
    payment_account: z.object({ completed: z.boolean(), verified: z.boolean() }),
    subscription: z.object({ status: z.string().nullable(), trial_ends_at: time.nullable() }),
    /** What the user reads when logging in. */
    suspension_reason: z.string().nullable(),
    bidding_blocked_reason: z.string().nullable(),
    listing_blocked_reason: z.string().nullable(),
    deferred_terms: z.object({ days: z.int().nullable(), limit: z.int().nullable() }),
    documents: z.array(merchantDocument),
    strikes: z.array(strike),
    counts: z.object({ running_listings: z.int(), open_sales: z.int(), open_purchases: z.int() }),
    has_second_factor: z.boolean(),
    erased_at: time.nullable(),
  })
  .meta({ id: 'UserDetails' })
export type UserDetails = z.output<typeof userDetails>

const userFilter = z.object({
  /** How an email, company, surname, full name or postcode begins; or a user's id. */
  'filter[search]': text(200).optional(),
  'filter[waiting]': z.enum(['collector'], 'collector').optional(),
  'filter[suspended]': z.enum(['true'], 'true').optional(),
  'filter[tier]': z.enum(tiers, tiers.join(', ')).optional(),
})
export type UserFilter = z.output<typeof userFilter>

const params = z.object({ id: z.string().max(100) })
const replies = { 200: z.object({ data: userDetails }) }

export const adminUserEndpoints = endpoints({
  'GET /api/v1/admin/users': {
    summary: 'Users, newest first. A search finds at most 200 by each field; is_incomplete says that more begin like it',
    access: 'staff',
    audit: 'see-users',
    query: pageQuery.extend(userFilter.shape),
    replies: { 200: z.object({ data: z.array(listedUser), meta: cursorMeta.extend({ is_incomplete: z.boolean() }) }) },
  },
  'GET /api/v1/admin/users/{id}': {
    summary: 'One user: profile, plan, documents, strikes, terms, and how much is under way',
    access: 'staff',
    audit: 'see-user',
    params,
    replies,
  },
  'POST /api/v1/admin/users/{id}/open': {
    summary: 'Open the account of a collector that was checked; its user is told by email',
    access: 'admin',
    audit: 'open',
    params,
    replies,
  },
  'POST /api/v1/admin/users/{id}/suspend': {
    summary: 'End every session and stream, refuse logins with this reason, and raise an issue on open sales and running listings',
    access: 'admin',
    audit: 'suspend',
    params,
    body: z.strictObject({ reason: text(REASON_MAX, 'Say why').min(1, 'Say why') }),
    replies,
  },
  'POST /api/v1/admin/users/{id}/unsuspend': {
    summary: 'Take a suspension back; the issues that it raised are released one by one',
    access: 'admin',
    audit: 'unsuspend',
    params,
    replies,
  },
  'POST /api/v1/admin/users/{id}/temporary-password': {
    summary: 'Email a temporary password that works once, within 24 hours',
    access: 'admin',
    audit: 'temporary-password',
    params,
    replies,
  },
})
