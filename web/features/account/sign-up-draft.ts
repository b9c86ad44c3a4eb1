import type { BusinessActivity, BusinessType } from '#contract/values/business.ts'
import type { FoundAddress } from '#contract/location.ts'

export type SignUpValues = {
  first_name: string
  surname: string
  business_type: BusinessType
  business_activity: BusinessActivity | ''
  profile: { date_of_birth: string; company_name: string; contact_number: string; terms_accepted: boolean }
  address: FoundAddress | null
  set_default_address: boolean
  vat_number: string
  not_vat_registered: boolean
  email: string
  password: string
  password_confirmation: string
}

const KEY = 'sign-up-draft'

export const emptySignUp: SignUpValues = {
  first_name: '',
  surname: '',
  business_type: 'company',
  business_activity: '',
  profile: { date_of_birth: '', company_name: '', contact_number: '', terms_accepted: false },
  address: null,
  set_default_address: false,
  vat_number: '',
  not_vat_registered: false,
  email: '',
  password: '',
  password_confirmation: '',
}

/** Nothing typed is lost on a reload; the passwords are not kept, and the draft ends with the tab. */
export function saveDraft(values: SignUpValues): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ ...values, password: '', password_confirmation: '' }))
  } catch {
    // storage is switched off: the page itself still holds what was typed
  }
}

export function readDraft(): SignUpValues {
  try {
    return { ...emptySignUp, ...(JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Partial<SignUpValues>) }
  } catch {
    return emptySignUp
  }
}

export function clearDraft(): void {
  try {
    sessionStorage.removeItem(KEY)
  } catch {
    // nothing was kept
  }
}
