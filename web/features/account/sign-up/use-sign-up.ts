import { useEffect } from 'react'
import type { FoundAddress } from '#contract/location.ts'
import type { BusinessActivity, BusinessType } from '#contract/values/business.ts'
import { sentences } from '#contract/values/sentences.ts'
import { call } from '#web/api/api.ts'
import { forgetUser, tellOtherTabs } from '#web/api/session.ts'
import { useForm } from '#web/forms/form.ts'
import { clearDraft, readDraft, saveDraft } from '#web/sending/draft.ts'
import { useIdempotentSend } from '#web/sending/idempotent-send.ts'

type SignUpValues = {
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

const DRAFT = 'sign-up-draft'

const emptySignUp: SignUpValues = {
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

/** SPEC §5 and §8: any error on a part of the address shows one sentence under the address. */
const problemOf = (name: string, message: string) =>
  /^address(\.|$)/.test(name) ? { name: 'address', message: sentences.addressInvalid } : { name, message }

export function useSignUp(activity: BusinessActivity | undefined, onDone: (isLoggedIn: boolean) => void) {
  const sendOnce = useIdempotentSend()
  const signUp = useForm<SignUpValues>({
    defaultValues: readDraft(DRAFT, emptySignUp),
    problemOf,
    send: async (values) => {
      const body = bodyOf(values, activity)
      const { data } = await sendOnce(body, (idempotencyKey) =>
        call('POST /api/v1/auth/register/web', { body, idempotencyKey, skipAuthRedirect: true }),
      )
      form.reset(emptySignUp)
      clearDraft(DRAFT)
      if (data.logged_in) {
        forgetUser()
        tellOtherTabs('logged_in')
      }
      onDone(data.logged_in)
    },
  })
  const { form } = signUp

  useEffect(
    () => form.subscribe({ formState: { values: true }, callback: ({ values }) => saveDraft(DRAFT, withoutPasswords(values)) }),
    [form],
  )

  return signUp
}

/** What is typed is kept for a reload, the passwords apart. */
const withoutPasswords = (values: SignUpValues): SignUpValues => ({ ...values, password: '', password_confirmation: '' })

function bodyOf(
  { address, set_default_address, vat_number, business_activity, ...values }: SignUpValues,
  activity: BusinessActivity | undefined,
) {
  if (!address || !values.profile.terms_accepted) throw new Error('the form lets nobody through without an address and the terms')
  return {
    ...values,
    business_activity: activity ?? (business_activity || null),
    address: { ...address, set_default_address, set_company_address: true },
    profile: { ...values.profile, terms_accepted: true as const },
    vat_number: values.not_vat_registered ? null : vat_number,
  }
}
