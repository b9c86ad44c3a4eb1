import type { RegisterOptions } from 'react-hook-form'
import { bareContactNumber } from '#contract/values/contact-number.ts'
import { CONTACT_NUMBER_MAX, CONTACT_NUMBER_MIN } from '#contract/values/limits.ts'
import { isStrongPassword } from '#contract/values/password.ts'

// The words are those of contract/fields.ts, said before the server has to.

export const required = (what: string): Pick<RegisterOptions, 'validate'> => ({
  validate: (value: unknown) => (typeof value === 'string' ? value.trim() !== '' : Boolean(value)) || `${what} is required`,
})

export const contactNumberRule = {
  validate: (value: string) => {
    const given = bareContactNumber(value)
    if (!given) return 'Contact number is required'
    if (given.length < CONTACT_NUMBER_MIN) return `Contact number needs at least ${CONTACT_NUMBER_MIN} characters`
    if (given.length > CONTACT_NUMBER_MAX) return `Contact number takes at most ${CONTACT_NUMBER_MAX} characters`
    return true
  },
}

export const vatRule = {
  validate: (value: string | null | undefined, values: { not_vat_registered: boolean }) =>
    values.not_vat_registered || Boolean(value?.trim()) || "VAT number is required unless you tick 'Not VAT registered'",
}

export const newPasswordRule = {
  validate: (value: string) => (value ? isStrongPassword(value) || 'Password must meet every point of the list' : 'Password is required'),
}

export const confirmationRule = {
  validate: (value: string, values: { password: string }) =>
    value ? value === values.password || 'The two passwords differ' : 'Confirm the password',
}
