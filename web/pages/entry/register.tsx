import { isActivity } from '#web/features/account/activity-select.tsx'
import { SignUpForm } from '#web/features/account/sign-up/sign-up-form.tsx'
import { AddressField } from '#web/features/location/address-field.tsx'
import { ContinueToProvider } from '#web/features/payments/continue-to-provider.tsx'
import { TierPrices } from '#web/features/subscription/tier-prices.tsx'
import { LegalLink } from '#web/navigation/legal-link.tsx'
import { useNextPage } from '#web/navigation/next-page.ts'
import { PlaceLink } from '#web/navigation/place-link.tsx'
import { useSearchText } from '#web/navigation/search-text.ts'
import { AsideRow, AsideTitle, TaskPage } from '#web/page/task-page.tsx'

export default function RegisterPage() {
  const asked = useSearchText('activity')
  const next = useNextPage()
  return (
    <TaskPage
      isWide
      aside={<WhatFollows />}
      title="Sign up"
      lead={
        <p>
          Already a member?{' '}
          <PlaceLink to="login" search={next} className="link inline-flex min-h-11 items-center font-strong">
            Log in
          </PlaceLink>
        </p>
      }
    >
      <SignUpForm
        activity={isActivity(asked) ? asked : undefined}
        AddressField={AddressField}
        continueToProvider={<ContinueToProvider className="w-full" />}
        changeActivity={
          <PlaceLink to="preregistration" search={next} className="link inline-flex min-h-11 items-center">
            Change
          </PlaceLink>
        }
        terms={
          <>
            I accept the{' '}
            <LegalLink to="terms" className="link" inNewTab>
              terms and conditions
            </LegalLink>{' '}
            and the{' '}
            <LegalLink to="privacy" className="link" inNewTab>
              privacy policy
            </LegalLink>
          </>
        }
      />
    </TaskPage>
  )
}

const steps = [
  ['Sign up', 'Have your VAT number and your postcode at hand.'],
  ['Connect Stripe', 'It checks who you are and pays you out.'],
  ['Choose your tier', 'Full by the month, or what costs nothing.'],
  ['Upload your licence', 'Only if you buy scrap.'],
] as const

function WhatFollows() {
  return (
    <>
      <div className="grid gap-6">
        <AsideTitle>Four steps to the first trade</AsideTitle>
        <ol className="border-b border-steel-line">
          {steps.map(([title, text], row) => (
            <AsideRow key={title} sign={row + 1} title={title} text={text} />
          ))}
        </ol>
      </div>
      <div className="grid gap-4">
        <p className="tabular text-20">What it costs</p>
        <TierPrices />
      </div>
    </>
  )
}
