import { PASSWORD_MIN } from '#contract/values/limits.ts'

/** SPEC §5: the checklist under the password field, in its order. The server refuses by the same rows. */
export const passwordRules = [
  { label: `At least ${PASSWORD_MIN} characters`, holds: (password: string) => [...password].length >= PASSWORD_MIN },
  { label: '1 uppercase letter', holds: (password: string) => /\p{Lu}/u.test(password) },
  { label: '1 special character', holds: (password: string) => /[^\p{L}\p{N}\s]/u.test(password) },
  { label: '1 number', holds: (password: string) => /\p{N}/u.test(password) },
  { label: '1 lowercase letter', holds: (password: string) => /\p{Ll}/u.test(password) },
] as const

export const isStrongPassword = (password: string): boolean => passwordRules.every((rule) => rule.holds(password))
