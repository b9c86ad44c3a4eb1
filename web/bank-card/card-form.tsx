import { useQuery } from '@tanstack/react-query'
import { configQuery } from '#web/api/config.ts'
import type { CardFormProps } from '#web/bank-card/card-form-parts.tsx'
import { SandboxCardForm } from '#web/bank-card/sandbox-card-form.tsx'
import { StripeCardForm } from '#web/bank-card/stripe-card-form.tsx'
import { FormSkeleton } from '#web/ui/skeleton.tsx'
import { FailedPart } from '#web/ui/state.tsx'

/** Stripe's own field with real keys, the sandbox's own form without: card numbers reach the provider alone. */
export function CardForm(props: CardFormProps) {
  const query = useQuery(configQuery)
  if (!query.data) return query.error ? <FailedPart of={query} /> : <FormSkeleton fields={2} />
  const { publishable_key, api_base } = query.data.stripe
  if (api_base === null) return <StripeCardForm {...props} publishableKey={publishable_key} />
  return <SandboxCardForm {...props} sandbox={{ publishable_key, api_base }} />
}
