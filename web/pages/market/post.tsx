import { useNavigate, useParams } from '@tanstack/react-router'
import type { OwnEnquiry } from '#contract/market/enquiries.ts'
import { places } from '#contract/values/places.ts'
import { messageOf } from '#web/api/api-error.ts'
import { saySuccess } from '#web/api/notices.ts'
import { useUser } from '#web/api/session.ts'
import { AddressField } from '#web/features/location/address-field.tsx'
import { PostForm } from '#web/features/market/post/post-form.tsx'
import { isOwn, useEnquiry } from '#web/features/market/data/queries.ts'
import { PlaceLink, routePath } from '#web/navigation/place-link.tsx'
import { Page } from '#web/page/page.tsx'
import { VerifyEmailPrompt } from '#web/page/verify-email-prompt.tsx'
import { buttonLook } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'
import { FormSkeleton } from '#web/ui/skeleton.tsx'
import { FailedState } from '#web/ui/state.tsx'

/** A new enquiry, or with an id in the address a change of one. */
export default function PostPage() {
  const { id } = useParams({ strict: false }) as { id?: string }
  return id ? (
    <Page title="Edit enquiry" lead="Until the first offer you may change everything.">
      <Editing key={id} id={id} />
    </Page>
  ) : (
    <Page title="Post an enquiry" lead="Say what you have. Members nearby who buy it are told at once and make you an offer.">
      <Posting />
    </Page>
  )
}

function Posting({ edit }: { edit?: OwnEnquiry }) {
  const user = useUser()
  const navigate = useNavigate()
  if (!user) return null
  return (
    <>
      {!user.email_verified && <VerifyEmailPrompt email={user.email} />}
      <PostForm
        userId={user.id}
        edit={edit}
        AddressField={AddressField}
        onSent={({ id }) => {
          saySuccess(edit ? 'Saved' : 'Posted', edit ? undefined : 'Members who buy this material are told now.')
          void navigate({ to: routePath(places['market-listing'].path), params: { id } })
        }}
      />
    </>
  )
}

function Editing({ id }: { id: string }) {
  const { data, error, refetch, isFetching } = useEnquiry(id)
  if (!data && error) return <FailedState message={messageOf(error)} onRetry={() => void refetch()} isRetrying={isFetching} />
  if (!data) return <FormSkeleton fields={5} />
  if (isOwn(data) && data.can_edit) return <Posting edit={data} />
  return (
    <div className="grid justify-items-start gap-4">
      <Callout look="warning" title="Not changed">
        <p>{data.is_mine ? 'This enquiry has an offer or is closed, so it cannot be changed any more.' : 'This is not your enquiry.'}</p>
      </Callout>
      <PlaceLink to="market-listing" params={{ id }} className={buttonLook('plain')}>
        Back to the enquiry
      </PlaceLink>
    </div>
  )
}
