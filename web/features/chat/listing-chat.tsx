import { MessageSquare } from 'lucide-react'
import type { Listing } from '#contract/listings.ts'
import { ThreadRow, UnreadCount } from '#web/features/chat/inbox.tsx'
import { useListingThreads, useUnread } from '#web/features/chat/queries.ts'
import { PlaceLink } from '#web/navigation/place-link.tsx'
import { buttonLook } from '#web/ui/button.tsx'

/** On a listing: the way to its seller; for the owner what others ask about it, and the way to the buyer. */
export default function ListingChat({ listing }: { listing: Listing }) {
  if (listing.is_owner) return <OwnersThreads listing={listing} />
  const isBuyer = listing.counterparty !== null
  return <WriteTo listing={listing} userId={listing.seller.id} label={isBuyer ? 'Message the seller' : 'Ask the seller'} />
}

function WriteTo({ listing, userId, label }: { listing: Listing; userId: string; label: string }) {
  const unread = useUnread()?.unread_by_listing[listing.id] ?? 0
  return (
    <PlaceLink to="chat" params={{ id: listing.id, user_id: userId }} className={buttonLook('plain', 'justify-self-start')}>
      <MessageSquare className="size-4" aria-hidden="true" />
      {label}
      <UnreadCount count={listing.is_owner ? 0 : unread} />
    </PlaceLink>
  )
}

function OwnersThreads({ listing }: { listing: Listing }) {
  const threads = useListingThreads(listing.id).data ?? []
  const buyer = listing.counterparty
  if (threads.length === 0 && !buyer) return null
  return (
    <section aria-labelledby="chats" className="grid gap-2">
      <h2 id="chats" className="text-16">
        Messages
      </h2>
      {buyer && <WriteTo listing={listing} userId={buyer.id} label="Message the buyer" />}
      {threads.length > 0 && (
        <ul className="border-y border-line">
          {threads.map((thread) => (
            <ThreadRow key={thread.id} thread={thread} />
          ))}
        </ul>
      )}
    </section>
  )
}
