import { useQuery } from '@tanstack/react-query'
import type { FunctionComponent, ReactNode } from 'react'
import type { UserLite } from '#contract/account.ts'
import { onboardingStages } from '#contract/values/onboarding-stages.ts'
import { formatPence } from '#domain/format.ts'
import { lastDayOf } from '#domain/licence.ts'
import { useConfig } from '#web/api/config.ts'
import { DocumentsForm } from '#web/features/documents/documents-form.tsx'
import { documentsQuery } from '#web/features/documents/queries.ts'
import { SavedDocuments } from '#web/features/documents/saved-documents.tsx'
import { AddressField } from '#web/features/location/address-field.tsx'
import { BusinessForm } from '#web/features/onboarding/business-form.tsx'
import { profileQuery } from '#web/features/onboarding/queries.ts'
import { GET_PAID } from '#web/features/onboarding/stage-states.ts'
import type { Stages } from '#web/features/onboarding/use-stages.ts'
import { GetPaid } from '#web/features/payments/payment-account.tsx'
import { Subscribe } from '#web/features/subscription/subscribe.tsx'
import { benefits } from '#web/page/task-page.tsx'
import { ActionBar } from '#web/ui/action-bar.tsx'
import { Button } from '#web/ui/button.tsx'
import { FormSkeleton } from '#web/ui/skeleton.tsx'
import { FailedState } from '#web/ui/state.tsx'

type Props = { user: UserLite; stages: Stages }
type StageView = { title: string; lead?: (user: UserLite) => ReactNode; Content: FunctionComponent<Props> }

function Business({ user, stages }: Props) {
  const { data: profile, error, isPending, isFetching, refetch } = useQuery(profileQuery)
  if (isPending) return <FormSkeleton fields={6} />
  if (!profile) return <FailedState message={error.message} onRetry={() => void refetch()} isRetrying={isFetching} />
  return <BusinessForm {...{ user, profile, AddressField }} onSaved={() => stages.goTo(1)} />
}

function Paid({ user, stages }: Props) {
  return (
    <>
      <PaymentAccount onDone={() => void stages.goTo(2)} />
      {user.onboarding.step && !user.subscription.stripe.account_completed && (
        <div className="grid justify-items-start gap-1">
          <Button kind="plain" isLoading={stages.isMoving} onClick={() => void stages.goTo(2)}>
            Do this later
          </Button>
          <p className="text-muted">You can look at the rest first. Selling and bidding open when this is done.</p>
        </div>
      )}
    </>
  )
}

function PaymentAccount({ onDone }: { onDone: () => void }) {
  return (
    <section aria-labelledby="payment-account" className="grid gap-4 border-t border-line pt-6">
      <h2 id="payment-account" className="text-16">
        Your Stripe account
      </h2>
      <GetPaid onDone={onDone} />
    </section>
  )
}

function Benefits({ stages }: Props) {
  const config = useConfig()
  const isTrialOffered = config?.trial_available_until != null && config.trial_available_until > config.server_time
  return (
    <>
      <ul className="border-b border-line">
        {benefits.map(({ icon: Icon, title, text }) => (
          <li key={title} className="grid grid-cols-[3rem_1fr] items-start border-t border-line py-5">
            <Icon className="mt-0.5 size-7 text-copper" strokeWidth={1.5} aria-hidden="true" />
            <div className="grid gap-1">
              <h2 className="text-16">{title}</h2>
              <p className="text-muted">{text}</p>
            </div>
          </li>
        ))}
      </ul>
      {/* holds its place until the configuration is here */}
      <p className="min-h-12">
        {config && (
          <>
            <span className="tabular text-28">{formatPence(config.subscription_price.value)}</span> a month
            {isTrialOffered && <span className="block text-primary">{config.trial_months} months free to start with.</span>}
          </>
        )}
      </p>
      <ActionBar>
        <Button isLoading={stages.isMoving} onClick={() => void stages.dismissBenefits()}>
          Subscribe
        </Button>
        <Button kind="plain" disabled={stages.isMoving} onClick={() => void stages.finish()}>
          Skip
        </Button>
      </ActionBar>
    </>
  )
}

function Payment({ stages }: Props) {
  const goOn = () => void stages.goTo(4)
  return <Subscribe onDone={goOn} onSkip={goOn} />
}

function Licence({ user, stages }: Props) {
  const { data: documents, error, isPending, isFetching, refetch } = useQuery(documentsQuery)
  const { data: profile, isPending: isAsking } = useQuery(profileQuery)
  if (isPending || isAsking) return <FormSkeleton fields={2} />
  if (!documents) return <FailedState message={error.message} onRetry={() => void refetch()} isRetrying={isFetching} />
  const said = {
    number: profile?.licence_number ?? '',
    council: profile?.licence_council ?? '',
    expires_at: profile?.licence_expires_at ? lastDayOf(new Date(profile.licence_expires_at)) : '',
  }
  return (
    <>
      {documents.data.length > 0 && (
        <div className="border-y border-line py-4">
          <SavedDocuments documents={documents.data} serverTime={documents.server_time} />
        </div>
      )}
      <DocumentsForm
        userId={user.id}
        saved={documents.data}
        said={said}
        submit="Upload"
        onSaved={() => void stages.finish()}
        orElse={
          <Button kind="plain" isLoading={stages.isMoving} onClick={() => void stages.finish()}>
            Skip
          </Button>
        }
      />
    </>
  )
}

export const stageViews: readonly [StageView, StageView, StageView, StageView, StageView] = [
  {
    title: 'Your business',
    lead: ({ first_name }) => <p>Welcome, {first_name}. Tell us what you do; everything else here can wait.</p>,
    Content: Business,
  },
  { title: 'Get paid', lead: () => <p>Buyers pay you, and you pay sellers, through an account at Stripe.</p>, Content: Paid },
  { title: 'How will Yardbid benefit you?', Content: Benefits },
  { title: 'Subscription', lead: () => <p>Full lets you bid, chat and take tradesperson deals.</p>, Content: Payment },
  {
    title: 'Scrap dealer license',
    lead: () => <p>This document is only required for those buying on the platform.</p>,
    Content: Licence,
  },
]

/** Ended, and yet not onboarded: the guard leads here until the payment account is complete. */
export const accountMissing: StageView = {
  title: 'One thing is missing',
  lead: ({ first_name }) => (
    <p>{first_name}, your payment account is not complete yet. Until it is, you can neither sell nor bid, and Yardbid opens here.</p>
  ),
  Content: ({ stages }) => (
    <>
      <PaymentAccount onDone={() => void stages.lookAgain()} />
      {/* a wide screen has them on the plate */}
      <section aria-labelledby="other-stages" className="grid justify-items-start gap-1 border-t border-line pt-6 lg:hidden">
        <h2 id="other-stages" className="text-16">
          Go back to a stage
        </h2>
        {onboardingStages.map(
          (name, stage) =>
            stage !== GET_PAID && (
              <button key={name} type="button" disabled={stages.isMoving} className="link min-h-11" onClick={() => void stages.goTo(stage)}>
                {name}
              </button>
            ),
        )}
      </section>
    </>
  ),
}
