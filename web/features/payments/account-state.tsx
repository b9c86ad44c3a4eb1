import { CircleAlert, CircleCheck, CircleDashed, Hourglass } from 'lucide-react'
import type { PaymentAccount } from '#contract/payments.ts'

type State = 'not_set_up' | 'asked' | 'being_verified' | 'verified'

function stateOf({ account_completed, account_verified, missing }: PaymentAccount): State {
  if (!account_completed) return 'not_set_up'
  if (account_verified) return 'verified'
  return missing.length > 0 ? 'asked' : 'being_verified'
}

const words = {
  not_set_up: {
    Icon: CircleDashed,
    ink: 'text-warning',
    title: 'Not set up',
    about: 'Stripe asks for your details and your bank account on its own pages.',
  },
  asked: {
    Icon: CircleAlert,
    ink: 'text-warning',
    title: 'Stripe needs something more',
    about: 'Until then it may hold back payments to you.',
  },
  being_verified: {
    Icon: Hourglass,
    ink: 'text-primary',
    title: 'Being verified by Stripe',
    about: 'Nothing to do: it usually takes minutes. You can go on meanwhile.',
  },
  verified: { Icon: CircleCheck, ink: 'text-success', title: 'Verified by Stripe', about: 'Buyers can pay you, and Stripe pays you out.' },
} as const

/**
 * How far the payment account is, and what the provider still asks for, most urgent first. Nothing is overdue from somebody who has not
 * begun, whatever the provider says.
 */
export function AccountState({ account }: { account: PaymentAccount }) {
  const state = stateOf(account)
  const { Icon, ink, title, about } = words[state]
  const { missing } = account
  return (
    <div className="grid gap-4">
      <div role="status" className="grid grid-cols-[auto_1fr] items-start gap-x-3">
        <Icon className={`mt-0.5 size-5 ${ink}`} strokeWidth={1.75} aria-hidden="true" />
        <p>
          <span className="block text-16 font-strong">{title}</span>
          <span className="block text-muted">{about}</span>
        </p>
      </div>
      {missing.length > 0 && (
        <section aria-label="Still missing" className="grid gap-2">
          <h3 className="font-strong">Still missing</h3>
          <ul className="border-b border-line">
            {missing.map(({ code, says, is_overdue }) => (
              <li key={code} className="flex flex-wrap items-baseline justify-between gap-x-4 border-t border-line py-2">
                <span>{says}</span>
                {is_overdue && state !== 'not_set_up' && <span className="text-12 font-strong text-danger">Overdue</span>}
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}
