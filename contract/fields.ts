import { z } from 'zod'
import { hasLinkInName } from '#contract/values/contact-details.ts'
import { bareContactNumber } from '#contract/values/contact-number.ts'
import {
  CONTACT_NUMBER_MAX,
  CONTACT_NUMBER_MIN,
  CONTACT_NUMBER_TYPED_MAX,
  EMAIL_MAX,
  NAME_MAX,
  PASSWORD_MAX,
  UK,
} from '#contract/values/limits.ts'
import { isStrongPassword } from '#contract/values/password.ts'

// The building blocks of bodies: each refuses with words for the person who typed it.

// control characters, and the marks that turn the direction of text round: none belongs in a name
const invisible = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

export const line = (what: string, max: number = NAME_MAX) =>
  z
    .string({ error: `${what} is required` })
    .trim()
    .min(1, `${what} is required`)
    .max(max, `${what} is too long: at most ${max} characters`)
    .refine((text) => !invisible.test(text), `${what} has characters that cannot be shown`)

/** Of a person or a company. Links and email addresses are refused: our emails greet people by these names, which must not carry adverts. */
export const personName = (what: string, max?: number) =>
  line(what, max).refine((text) => !hasLinkInName(text), `${what} takes no links and no email addresses`)

/** Text of several lines, or text that is only compared: anything but the one character that a database cannot hold. */
export const text = (max: number, isMissing?: string) =>
  z
    .string(isMissing ? { error: isMissing } : undefined)
    .trim()
    .max(max, `At most ${max} characters`)
    .refine((given) => !given.includes('\0'), 'This has characters that cannot be shown')

/** One line that may be empty, which is nothing. */
export const shortText = (what: string, max: number) =>
  z
    .string()
    .trim()
    .max(max, `${what} is too long: at most ${max} characters`)
    .refine((text) => !invisible.test(text), `${what} has characters that cannot be shown`)
    .transform((text) => text || null)

export const optionalLine = (what: string, max: number = NAME_MAX) =>
  shortText(what, max)
    .nullish()
    .transform((text) => text ?? null)

/** NFKC, so that look-alike spellings of one address stay one address. Upper and lower case are told apart nowhere. */
export const email = z
  .string({ error: 'Email is required' })
  .max(EMAIL_MAX, 'Email is too long')
  .transform((text) => text.normalize('NFKC').trim())
  .pipe(
    z
      .string()
      .min(1, 'Email is required')
      .max(EMAIL_MAX, 'Email is too long')
      .pipe(z.email('Enter an email address such as jo@smithmetals.co.uk')),
  )

export const newPassword = z
  .string({ error: 'Password is required' })
  .min(1, 'Password is required')
  .max(PASSWORD_MAX, `Password is too long: at most ${PASSWORD_MAX} characters`)
  .refine(isStrongPassword, 'Password must meet every point of the list')

/** A password to be compared, not judged. */
export const knownPassword = z
  .string({ error: 'Password is required' })
  .min(1, 'Password is required')
  .max(PASSWORD_MAX, 'Password is too long')

export const contactNumber = z
  .string({ error: 'Contact number is required' })
  .max(CONTACT_NUMBER_TYPED_MAX, `Contact number takes at most ${CONTACT_NUMBER_MAX} characters`)
  .transform(bareContactNumber)
  .pipe(
    z
      .string()
      .min(1, 'Contact number is required')
      .min(CONTACT_NUMBER_MIN, `Contact number needs at least ${CONTACT_NUMBER_MIN} characters`)
      .max(CONTACT_NUMBER_MAX, `Contact number takes at most ${CONTACT_NUMBER_MAX} characters`)
      .regex(/^\+?\d+$/, 'Contact number takes digits, spaces and a leading +'),
  )

// nobody alive was born earlier, and a year such as 0000 is none that a database knows
export const dateOfBirth = z.iso.date('Enter your date of birth').refine((day) => day >= '1900-01-01', 'Enter your date of birth')

export const ukPostCode = z
  .string({ error: 'Postcode is required' })
  .trim()
  .toUpperCase()
  .regex(/^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$/, 'Enter a UK postcode such as M1 4BT')
  .transform((text) => text.replace(/ ?(\d[A-Z]{2})$/, ' $1'))

/** Shape only (9 or 12 digits, or a government department or health authority): the VAT check itself is the authority's. */
export const vatNumber = z
  .string()
  .transform((text) => text.replace(/[\s.-]/g, '').toUpperCase())
  .pipe(
    z
      .string()
      .regex(/^(?:GB|XI)?(?:\d{9}|\d{12}|GD[0-4]\d{2}|HA[5-9]\d{2})$/, 'Enter a UK VAT number such as GB123456789')
      .transform((text) => (/^(?:GB|XI)/.test(text) ? text : `GB${text}`)),
  )

/** For z.enum: the keys of a table as the tuple that it wants. */
export const keysOf = <K extends string>(table: Record<K, unknown>) => Object.keys(table) as [K, ...K[]]

export const time = z.iso.datetime()

/** An instant in any zone, in UTC from here on: some zones that can be written are none that the database knows. */
export const inUtc = z.iso.datetime({ offset: true, error: 'Choose the day and the time' }).transform((at) => new Date(at).toISOString())

/** When a paper ends: the last day on which it counts, or the instant. A century ahead is a slip of the keyboard. */
export const expiry = z
  .union([z.iso.date(), inUtc], 'Enter the day on which it expires')
  .refine((given) => given >= '1900' && given < '2100', 'Enter the day on which it expires')

/** In a query string. */
export const wholeNumber = z.coerce.number().int().min(0)

/** A list a page at a time: the cursor of an answer asks for the next page. */
export const pageQuery = z.object({ cursor: z.string().max(300).optional(), per_page: wholeNumber.min(1).max(60).default(24) })
export const cursorMeta = z.object({ next_cursor: z.string().nullable(), prev_cursor: z.string().nullable(), per_page: z.int() })

export const pence = z.number().int()
export const money = z.object({ value: pence, currency: z.literal('GBP') })
export const message = z.object({ message: z.string() })

const latitude = z.number().min(UK.south).max(UK.north)
const longitude = z.number().min(UK.west).max(UK.east)

/** An address as forms send it. */
export const addressFields = {
  address_line_1: line('Address'),
  address_line_2: optionalLine('Address'),
  town: line('Town'),
  county: optionalLine('County'),
  country: optionalLine('Country'),
  post_code: ukPostCode,
  latitude,
  longitude,
}

/** A code of the authenticator app, or one of the recovery codes. */
export const otp = text(40, 'Enter the code of your authenticator app').min(1, 'Enter the code of your authenticator app')
