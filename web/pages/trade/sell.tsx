import { useNavigate } from '@tanstack/react-router'
import { places } from '#contract/values/places.ts'
import { saySuccess } from '#web/api/notices.ts'
import { useUser } from '#web/api/session.ts'
import { PlaceLink } from '#web/navigation/place-link.tsx'
import { Page } from '#web/page/page.tsx'
import { VerifyEmailPrompt } from '#web/page/verify-email-prompt.tsx'
import { Selling } from '#web/pages/trade/selling.tsx'

export default function SellPage() {
  const navigate = useNavigate()
  const user = useUser()
  return (
    <Page
      title="List goods"
      lead={
        <>
          What you type is kept until you list it.{' '}
          <PlaceLink to="my-listings" isExact className="link inline-flex min-h-11 items-center">
            See your listings
          </PlaceLink>
        </>
      }
    >
      {user && !user.email_verified && (
        <div className="pb-6">
          <VerifyEmailPrompt email={user.email} />
        </div>
      )}
      <Selling
        onSent={() => {
          saySuccess('Listed', 'Bidding opens as soon as its photos are checked.')
          void navigate({ to: places['my-listings'].path })
        }}
      />
    </Page>
  )
}
