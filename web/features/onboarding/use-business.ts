import { useEffect } from 'react'
import type { OnboardingProfile } from '#contract/onboarding.ts'
import { call } from '#web/api/api.ts'
import { queryClient } from '#web/api/query-client.ts'
import { bodyOf, problemOf, valuesOf, type BusinessValues } from '#web/features/onboarding/business-values.ts'
import { profileQuery } from '#web/features/onboarding/queries.ts'
import { useForm } from '#web/forms/form.ts'
import { clearDraft, readDraft, saveDraft } from '#web/sending/draft.ts'

type Options = { userId: string; profile: OnboardingProfile; onSaved: () => Promise<void> }

export function useBusiness({ userId, profile, onSaved }: Options) {
  const draft = `business-${userId}`
  const business = useForm<BusinessValues>({
    defaultValues: readDraft(draft, valuesOf(profile)),
    problemOf,
    send: async (values) => {
      const { data } = await call('POST /api/v1/onboarding/profile', { body: bodyOf(values) })
      queryClient.setQueryData(profileQuery.queryKey, data)
      clearDraft(draft)
      await onSaved()
    },
  })
  const { form } = business

  useEffect(() => form.subscribe({ formState: { values: true }, callback: ({ values }) => saveDraft(draft, values) }), [form, draft])

  return business
}

export type BusinessForm = ReturnType<typeof useBusiness>
