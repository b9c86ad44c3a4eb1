import { useParams } from '@tanstack/react-router'
import { PackagePlus } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Listing } from '#contract/listings.ts'
import { ownGroups, type OwnGroup } from '#contract/values/activity-groups.ts'
import { GroupedListings } from '#web/features/activity/listing-pages.tsx'
import { ListingRow } from '#web/features/activity/listing-row.tsx'
import { UnreadLink } from '#web/features/chat/unread-link.tsx'
import { keepListing } from '#web/features/listings/queries.ts'
import { Withdraw } from '#web/features/sell/withdraw.tsx'
import { PlaceLink } from '#web/navigation/place-link.tsx'
import { useSearchText } from '#web/navigation/search-text.ts'
import { ListAndPanel } from '#web/page/list-and-panel.tsx'
import { buttonLook } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/state.tsx'

export default function MyListingsPage() {
  const group = useGroup()
  return (
    <ListAndPanel title="My listings" lead="What you sell, from the first bid to the last paper." action={<ListGoods />}>
      <GroupedListings side="my-listings" groups={ownGroups} current={group} Row={Row} empty={<Nothing group={group} />} />
    </ListAndPanel>
  )
}

function useGroup(): OwnGroup | undefined {
  const text = useSearchText('group')
  return (Object.keys(ownGroups) as OwnGroup[]).find((group) => group === text)
}

function Row({ listing }: { listing: Listing }) {
  const group = useGroup()
  // beside an open listing the rows are narrow, and that listing is what one works on
  const { id: opened } = useParams({ strict: false }) as { id?: string }
  // with bids on it a reason is asked for, on its own page
  const canWithdraw = listing.available_actions.some(
    ({ action, fields }) => action === 'withdraw' && !fields.some((field) => field.required),
  )
  return (
    <ListingRow
      listing={listing}
      to="my-listing"
      search={group ? { group } : {}}
      action={
        !opened && (
          <>
            <UnreadLink listing={listing} />
            {canWithdraw && <Withdraw listing={listing} onWithdrawn={keepListing} />}
          </>
        )
      }
    />
  )
}

const nothing: Record<OwnGroup, [title: string, about: string]> = {
  waiting: [
    'Nothing waits for you',
    'When a buyer has paid, asks for an amend or misses a payment, it stands here until you have answered.',
  ],
  running: ['Nothing of yours is running', 'List goods, and every yard on Yardbid can bid on them.'],
  sold: ['No sale is under way', 'What has a buyer stands here until it is paid and handed over.'],
  unsold: ['Nothing is left unsold', 'What ends without a buyer stands here, so that you can offer it again.'],
  done: ['No sale is finished yet', 'Sales that are paid and handed over are kept here.'],
}

function Nothing({ group }: { group: OwnGroup | undefined }): ReactNode {
  if (!group) {
    return (
      <EmptyState icon={PackagePlus} title="You have no listings">
        <p>A photo, a weight and a price: it takes two minutes, and every yard on Yardbid sees it.</p>
      </EmptyState>
    )
  }
  const [title, about] = nothing[group]
  return (
    <EmptyState
      icon={PackagePlus}
      title={title}
      action={
        <PlaceLink to="my-listings" className={buttonLook('plain')}>
          Show all your listings
        </PlaceLink>
      }
    >
      <p>{about}</p>
    </EmptyState>
  )
}

function ListGoods() {
  return (
    <PlaceLink to="sell" className={buttonLook()}>
      <PackagePlus className="size-5" strokeWidth={1.75} aria-hidden="true" />
      List goods
    </PlaceLink>
  )
}
