import { useEffect } from 'react'
import type { BusinessActivity } from '#contract/values/business.ts'
import { sentences } from '#contract/values/sentences.ts'
import { call } from '#web/api/api.ts'
import { clearDraft, emptySignUp, readDraft, saveDraft, type SignUpValues } from '#web/features/account/sign-up-draft.ts'
import { useForm } from '#web/forms/form.ts'
import { forgetUser, tellOtherTabs } from '#web/api/session.ts'

/** SPEC §5 and §8: any error on a part of the address shows one sentence under the address. */
const problemOf = (name: string, message: string) =>
  /^address(\.|$)/.test(name) ? { name: 'address', message: sentences.addressInvalid } : { name, message }

export function useSignUp(activity: BusinessActivity | undefined, onDone: (isLoggedIn: boolean) => void) {
  const signUp = useForm<SignUpValues>({
    defaultValues: readDraft(),
    problemOf,
    send: async (values) => {
      const { data } = await call('POST /api/v1/auth/register/web', { body: bodyOf(values, activity), skipAuthRedirect: true })
      form.reset(emptySignUp)
      clearDraft()
      if (data.logged_in) {
        forgetUser()
        tellOtherTabs('logged_in')
      }
      onDone(data.logged_in)
    },
  })
  const { form } = signUp

  useEffect(() => form.subscribe({ formState: { values: true }, callback: ({ values }) => saveDraft(values) }), [form])

  return signUp
}

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
