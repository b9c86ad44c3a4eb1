import type { UserLite } from '#contract/account.ts'
import type { Place } from '#contract/values/places.ts'
import { bidRefusals } from '#domain/bids/may-bid.ts'
import { PlaceLink } from '#web/navigation/place-link.tsx'
import { SendVerificationAgain } from '#web/page/verify-email-prompt.tsx'
import { buttonLook } from '#web/ui/button.tsx'

type RemedyPlace = { to: Place; hash?: string; label: string }

/** Where to put right what a bid was refused for, by the refusal's code (domain/bids/may-bid.ts). */
const remedies: Record<string, RemedyPlace> = {
  permission_missing: { to: 'account-subscriptions', hash: 'plan', label: 'See the subscription' },
  onboarding_unfinished: { to: 'onboarding', label: 'Finish setting up' },
  payment_account_incomplete: { to: 'account-view-edit', hash: 'payment-account', label: 'Complete your payment account' },
  holding_fee_card_missing: { to: 'account-subscriptions', hash: 'holding-fee', label: 'Save a card' },
  licence_missing: { to: 'account-merchant-documents', label: 'Upload your licence' },
  blocked_by_seller: { to: 'listings', label: 'Other listings' },
}

type BarrierRow = { code: string; says: string }

/** What is known to stand in the way before anything is typed. */
export function barrierOf({ email_verified, onboarded, permissions }: UserLite): BarrierRow | undefined {
  if (!email_verified) return { code: 'email_not_confirmed', says: bidRefusals.email_not_confirmed }
  if (!onboarded) return { code: 'onboarding_unfinished', says: bidRefusals.onboarding_unfinished }
  if (!permissions.auction_bid.enabled) return { code: 'permission_missing', says: bidRefusals.permission_missing }
  return undefined
}

export function Barrier({ barrier: { code, says } }: { barrier: BarrierRow }) {
  return (
    <div className="grid gap-3 border-t border-line pt-3">
      <p>{says}</p>
      <Remedy code={code} />
    </div>
  )
}

export function Remedy({ code }: { code: string }) {
  if (code === 'email_not_confirmed') return <SendVerificationAgain />
  const remedy = remedies[code]
  if (!remedy) return null
  return (
    <PlaceLink to={remedy.to} {...(remedy.hash && { hash: remedy.hash })} className={buttonLook('plain', 'justify-self-start')}>
      {remedy.label}
    </PlaceLink>
  )
}
