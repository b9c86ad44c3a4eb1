import { MessageSquare } from 'lucide-react'
import type { Listing } from '#contract/listings.ts'
import { useUnread } from '#web/features/chat/queries.ts'
import { PlaceLink } from '#web/navigation/place-link.tsx'
import { buttonLook } from '#web/ui/button.tsx'

/** In a list: the unread messages about a listing, if there are any, and the way to them. */
export function UnreadLink({ listing }: { listing: Listing }) {
  const count = useUnread()?.unread_by_listing[listing.id] ?? 0
  if (count === 0) return null
  const look = buttonLook('plain', 'whitespace-nowrap')
  const words = (
    <>
      <MessageSquare className="size-4" aria-hidden="true" />
      {count === 1 ? '1 new message' : `${count} new messages`}
    </>
  )
  if (listing.is_owner)
    return (
      <PlaceLink to="messages" className={look}>
        {words}
      </PlaceLink>
    )
  return (
    <PlaceLink to="chat" params={{ id: listing.id, user_id: listing.seller.id }} className={look}>
      {words}
    </PlaceLink>
  )
}
