import { businessActivities } from '#contract/business.ts'
import { VerifyEmailPrompt } from '#web/features/account/verify-email-prompt.tsx'
import { TaskPage } from '#web/pages/task-page.tsx'
import { useUser } from '#web/session.ts'
import { Callout } from '#web/ui/callout.tsx'
import { Facts } from '#web/ui/facts.tsx'

const stages = [
  { name: 'Your business', about: 'Activities, company number, sites, licence and waste carrier numbers.' },
  { name: 'Get paid', about: 'A Stripe account, so that buyers can pay you and you can pay sellers.' },
  { name: 'Benefits', about: 'How Yardbid will benefit you.' },
  { name: 'Subscription', about: 'Full by the month, or go on with what costs nothing.' },
  { name: 'Scrap dealer license', about: 'Only required for those buying on the platform.' },
]

export default function OnboardingPage() {
  const user = useUser()
  if (!user) return null
  const current = user.onboarding.step?.stage ?? 0
  return (
    <TaskPage isWide title="Set up your account" lead={`Welcome, ${user.first_name}. Five stages stand between you and the first trade.`}>
      {!user.email_verified && <VerifyEmailPrompt email={user.email} />}
      <Callout title="The stages open soon">
        <p>Your account is kept as it is. Log in again then, and you go on from here.</p>
      </Callout>
      <ol className="border-b border-line">
        {stages.map(({ name, about }, stage) => (
          <li
            key={name}
            aria-current={stage === current ? 'step' : undefined}
            className="grid grid-cols-[2.5rem_1fr_auto] items-baseline border-t border-line py-3"
          >
            <span className={`tabular text-28 ${stage === current ? 'text-copper' : 'text-muted'}`} aria-hidden="true">
              {stage + 1}
            </span>
            <div>
              <h2 className="text-16">{name}</h2>
              <p className="text-muted">{about}</p>
            </div>
            {stage === current && <span className="rounded-base bg-primary-soft px-2 py-1 text-12 font-strong text-primary">Next</span>}
          </li>
        ))}
      </ol>
      <Facts
        title="Your account"
        rows={[
          ['Name', `${user.first_name} ${user.surname}`],
          ['Company', user.company_name],
          ['Business activity', user.business_activity && businessActivities[user.business_activity].label],
          ['Email', user.email],
        ]}
      />
    </TaskPage>
  )
}
