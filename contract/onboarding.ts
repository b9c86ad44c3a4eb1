import { z } from 'zod'
import { address, userLite } from '#contract/account.ts'
import { businessActivities, type BusinessActivity } from '#contract/values/business.ts'
import { endpoints } from '#contract/endpoint.ts'
import { addressFields, expiry, keysOf, line, optionalLine, time } from '#contract/fields.ts'
import { LICENCE_NUMBER_MAX, MOST_SITES, onboardingStages } from '#contract/values/onboarding-stages.ts'

const activity = z.enum(keysOf<BusinessActivity>(businessActivities), 'Choose what your business does')

// England and Wales have eight digits; every other register puts letters first, and some societies an R last
const companyNumberShape = /^(?:\d{8}|[A-Z]{2}\d{6}|R\d{7}|(?:IP|SP|NP|RS)\d{5}R)$/

const companyNumberIs = 'Enter the 8 characters of Companies House, such as 01234567 or SC123456'

/** Companies House's own writing: people leave out the zeros in front, and put in spaces. */
const companyNumber = z
  .string()
  .transform((text) => text.replace(/\s/g, '').toUpperCase())
  .transform((text) => (/^\d{6,7}$/.test(text) ? text.padStart(8, '0') : text))
  .pipe(z.string().regex(companyNumberShape, companyNumberIs))

const wasteCarrierIs = 'Enter the registration as your agency writes it, such as CBDU123456'

/** CBDU123456 in England, WCR/R/1234567 in Scotland, ROC UT 1234 in Northern Ireland: each agency writes its own. */
const wasteCarrierNumber = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z][A-Z\d /-]{4,29}$/, wasteCarrierIs)

/** A field of a form that was left empty. */
const nothing = z.literal('').transform(() => null)

const onboardingProfileForm = z.strictObject({
  /** The first is the main one. */
  activities: z
    .array(activity, 'Choose what your business does')
    .min(1, 'Choose at least one activity')
    .refine((given) => new Set(given).size === given.length, 'Name each activity once'),
  company_number: z.union([nothing, companyNumber], companyNumberIs).nullish(),
  sites: z
    .array(z.strictObject({ name: line('Site name'), address: z.strictObject(addressFields) }))
    .max(MOST_SITES, `At most ${MOST_SITES} sites`)
    .default([]),
  licence_number: optionalLine('Licence number', LICENCE_NUMBER_MAX),
  licence_council: optionalLine('Council'),
  licence_expires_at: z.union([nothing, expiry], 'Enter the day on which it expires').nullish(),
  waste_carrier_number: z.union([nothing, wasteCarrierNumber], wasteCarrierIs).nullish(),
})
export type OnboardingProfileForm = z.output<typeof onboardingProfileForm>

const siteAddress = address.omit({ id: true, is_default_address: true, is_company_address: true })

const onboardingProfile = z
  .object({
    activities: z.array(activity),
    company_number: z.string().nullable(),
    sites: z.array(z.object({ name: z.string(), address: siteAddress })),
    licence_number: z.string().nullable(),
    licence_council: z.string().nullable(),
    licence_expires_at: time.nullable(),
    waste_carrier_number: z.string().nullable(),
  })
  .meta({ id: 'OnboardingProfile' })
export type OnboardingProfile = z.output<typeof onboardingProfile>

const userReply = { 200: z.object({ data: userLite }) }
const profileReply = { 200: z.object({ data: onboardingProfile }) }

export const onboardingEndpoints = endpoints({
  'POST /api/v1/auth/onboard-user': {
    summary: 'Go to a stage of onboarding, 0 to 4, or end it with null',
    access: 'member',
    body: z.strictObject({
      stage: z
        .int('Give a stage from 0 to 4, or null')
        .min(0)
        .max(onboardingStages.length - 1)
        .nullable(),
    }),
    replies: userReply,
  },
  'POST /api/v1/auth/me/dismiss-benefits': {
    summary: 'Leave the benefits stage for the next one; anywhere else nothing changes',
    access: 'member',
    replies: userReply,
  },
  'GET /api/v1/onboarding/profile': { summary: 'What the business says of itself', access: 'member', replies: profileReply },
  'POST /api/v1/onboarding/profile': {
    summary: 'Say what the business is: activities, the main one first, company number, sites, licence, waste carrier',
    access: 'member',
    body: onboardingProfileForm,
    replies: profileReply,
  },
})
