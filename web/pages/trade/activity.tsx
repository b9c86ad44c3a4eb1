import { useParams } from '@tanstack/react-router'
import { Gavel } from 'lucide-react'
import type { Listing } from '#contract/listings.ts'
import { activityGroups, type ActivityGroup } from '#contract/values/activity-groups.ts'
import { GroupedListings } from '#web/features/activity/listing-pages.tsx'
import { ListingRow } from '#web/features/activity/listing-row.tsx'
import { UnreadLink } from '#web/features/chat/unread-link.tsx'
import { PlaceLink } from '#web/navigation/place-link.tsx'
import { useSearchText } from '#web/navigation/search-text.ts'
import { ListAndPanel } from '#web/page/list-and-panel.tsx'
import { buttonLook } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/state.tsx'

export default function ActivityPage() {
  const group = useGroup()
  return (
    <ListAndPanel title="Activity" lead="What you bid on, won, were offered and watch.">
      <GroupedListings side="activity" groups={activityGroups} current={group} Row={Row} empty={<Nothing group={group} />} />
    </ListAndPanel>
  )
}

function useGroup(): ActivityGroup | undefined {
  const text = useSearchText('group')
  return (Object.keys(activityGroups) as ActivityGroup[]).find((group) => group === text)
}

function Row({ listing }: { listing: Listing }) {
  const group = useGroup()
  // beside an open listing the rows are narrow, and that listing is what one works on
  const { id: opened } = useParams({ strict: false }) as { id?: string }
  return (
    <ListingRow
      listing={listing}
      to="activity-listing"
      search={group ? { group } : {}}
      action={!opened && <UnreadLink listing={listing} />}
    />
  )
}

const nothing: Record<ActivityGroup | 'all', [title: string, about: string]> = {
  all: ['You have not bid on anything yet', 'What you bid on, win, are offered or watch is gathered here, with what waits for you first.'],
  waiting: ['Nothing waits for you', 'What you have to pay, accept or collect stands here, with the time you have for it.'],
  bidding: ['You are not bidding on anything', 'Bid on a listing and it stays here until it ends. Where you are outbid comes first.'],
  won: ['No purchase is under way', 'What you win stands here until it is paid and collected.'],
  offered: ['Nothing is offered to you', 'When a winner does not pay, a seller may offer you the goods at your own highest bid.'],
  watching: ['You watch nothing', 'Watch a listing to keep it here without a bid.'],
  lost: ['Nothing has ended without you', 'Listings that went to somebody else, or to nobody, are kept here.'],
  done: ['No purchase is finished yet', 'What you paid for and received is kept here.'],
}

function Nothing({ group = 'all' }: { group: ActivityGroup | 'all' | undefined }) {
  const [title, about] = nothing[group]
  return (
    <EmptyState
      icon={Gavel}
      title={title}
      action={
        <PlaceLink to="listings" className={buttonLook('plain')}>
          Browse listings
        </PlaceLink>
      }
    >
      <p>{about}</p>
    </EmptyState>
  )
}
