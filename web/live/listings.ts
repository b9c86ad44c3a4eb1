import { notifyManager, replaceEqualDeep, type QueryKey } from '@tanstack/react-query'
import type { Listing } from '#contract/listings.ts'
import type { LiveEvents } from '#contract/live.ts'
import { queryClient } from '#web/api/query-client.ts'
import { hearServerTime } from '#web/api/server-clock.ts'
import { hearLive, useFollow } from '#web/live/live.ts'

// What arrives live goes into every query that holds the listing: a page reads its price from one place, however it came there.

/** Listings on screen follow their price, end and leader. */
export const useLiveListings = (ids: readonly string[]): void => useFollow(ids.map((id) => `listing:${id}`))

/** For queries that hold listings: an answer that was on its way while something newer arrived live does not undo it. */
export function keepNewest(before: unknown, after: unknown): unknown {
  const known = new Map<string, Listing>()
  mapListings(before, (listing) => (known.set(listing.id, listing), listing))
  const newest = mapListings(after, (listing) => {
    const earlier = known.get(listing.id)
    return earlier && earlier.version > listing.version ? earlier : listing
  })
  return replaceEqualDeep(before, newest)
}

hearLive((event) =>
  notifyManager.batch(() => {
    if (event.kind === 'listing') changeListing(event.data.listing_id, (known, isCard) => merge(known, event.data, isCard))
    else if (event.kind === 'gone' || event.kind === 'sale') readAnew(({ id }) => id === event.data.listing_id)
    else if (event.kind === 'versions') {
      hearServerTime(event.data.server_time)
      readAnew(({ id, version }) => (event.data.versions[id] ?? 0) > version)
    } else if (event.kind === 'reset' || event.kind === 'gap')
      void queryClient.invalidateQueries({ predicate: ({ queryKey, state }) => isBids(queryKey) || holdsListing(state.data) })
  }),
)

export type Change = Listing | 'read anew'

/** What is older changes nothing; what does not follow at once, or changes more than a price, is read anew. A card has all it shows. */
function merge(known: Listing, event: LiveEvents['listing'], isCard: boolean): Change {
  if (event.version <= known.version) return known
  const { listing_id: _id, status, bids: _bids, server_time: _time, ...changes } = event
  // the first bid, and the one that meets the reservation price, change what the owner may do
  const changesActions = known.is_owner && (!known.bid_count || known.reservation_met !== changes.reservation_met)
  if (!isCard && (changes.version !== known.version + 1 || status !== known.status.name || changesActions)) return 'read anew'
  const mine = known.my_latest_bid
  const isLeading = mine?.bid_status.name === 'Active'
  return { ...known, ...changes, my_latest_bid: isLeading ? { ...mine, current_bid_price: changes.current_price } : mine }
}

const isBids = (key: QueryKey) => key[0] === 'bids'

const readAnew = (isWanted: (listing: Listing) => boolean) =>
  void queryClient.invalidateQueries({ predicate: ({ state }) => holdsListing(state.data, isWanted) })

export function changeListing(id: string, change: (known: Listing, isCard: boolean) => Change) {
  let isToBeRead = false
  const changed = (listing: Listing, isCard: boolean) => {
    const next = listing.id === id ? change(listing, isCard) : listing
    if (next !== 'read anew') return next
    isToBeRead = true
    return listing
  }
  for (const { queryKey, state } of queryClient.getQueryCache().getAll()) {
    // a search is not run again for one of its cards: thousands look at the same ones
    const next = mapListings(state.data, (listing) => changed(listing, queryKey[0] === 'listings'))
    if (next !== state.data) queryClient.setQueryData(queryKey, next)
  }
  if (isToBeRead) readAnew((listing) => listing.id === id)
}

function mapListings(data: unknown, change: (listing: Listing) => Listing): unknown {
  const inner = (one: unknown) => mapListings(one, change)
  if (Array.isArray(data)) return unlessSame(data, data.map(inner))
  if (!isHolder(data)) return data
  if (isListing(data)) return change(data)
  const next = { ...('pages' in data && { pages: inner(data.pages) }), ...('data' in data && { data: inner(data.data) }) }
  return next.pages === data.pages && next.data === data.data ? data : { ...data, ...next }
}

const unlessSame = (before: unknown[], after: unknown[]) => (after.every((one, nth) => one === before[nth]) ? before : after)

// a listing, a list of them, a page of them, or several pages: the shapes in which calls answer
type Holder = { pages?: unknown; data?: unknown }
const isHolder = (data: unknown): data is Holder => typeof data === 'object' && data !== null
const isListing = (data: object): data is Listing => 'my_latest_bid' in data && 'version' in data

function holdsListing(data: unknown, isWanted: (listing: Listing) => boolean = () => true): boolean {
  if (Array.isArray(data)) return data.some((one) => holdsListing(one, isWanted))
  if (!isHolder(data)) return false
  if (isListing(data)) return isWanted(data)
  return holdsListing(data.pages, isWanted) || holdsListing(data.data, isWanted)
}
