import { useEffect, useRef, useState } from 'react'
import type { Listing } from '#contract/listings.ts'
import { formatPrice } from '#domain/format.ts'
import { penceOf, type Pence } from '#domain/money.ts'
import { useVatRate } from '#web/api/config.ts'
import { saySuccess } from '#web/api/notices.ts'
import { isLoggedOut, useViewerId } from '#web/api/session.ts'
import { Remedy } from '#web/features/bids/barrier.tsx'
import { bodyOf, isTooMuch, leastBid, quickBids, type BidBody, type BidMode } from '#web/features/bids/bid-amounts.ts'
import type { BidderState } from '#web/features/bids/bidder-state.ts'
import { ConfirmBid } from '#web/features/bids/confirm-bid.tsx'
import { Cost } from '#web/features/bids/cost.tsx'
import { StickyAction } from '#web/features/bids/sticky-action.tsx'
import { usePlaceBid, type Refusal } from '#web/features/bids/use-place-bid.ts'
import { clearDraft, readDraft, saveDraft } from '#web/sending/draft.ts'
import { Button } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'
import { NumberField } from '#web/ui/fields/number-field.tsx'
import { RadioGroup } from '#web/ui/fields/radio-group.tsx'

const modes: Record<BidMode, string> = { exactly: 'Bid exactly this', up_to: 'Bid up to a maximum' }
const LARGEST_BID = 10_000_000

/** `field` names the field that shows the amount: it stays while somebody types, and is a new one when the amount is set. */
type Chosen = { amount: Pence | null; field: string }

type AskedBid = { amount: Pence; body: BidBody }

/** A bid that a session's end kept from being placed. */
type UnplacedBid = { amount: Pence | null; mode: BidMode }

type Props = { listing: Listing; state: BidderState; onPlaced: (listing: Listing) => void; onRefused: () => void }

export function BidForm({ listing, state, onPlaced, onRefused }: Props) {
  const isLeader = state === 'leading'
  const quick = quickBids(listing)
  const vatRate = useVatRate()
  const draftName = `bid ${listing.id} ${useViewerId()}`
  const [unplaced, setUnplaced] = useState(() => readDraft<UnplacedBid>(draftName, { amount: null, mode: 'exactly' }))
  const [chosenMode, setMode] = useState<BidMode>(unplaced.mode)
  const [chosen, choose] = useState<Chosen | undefined>(
    unplaced.amount === null ? undefined : { amount: unplaced.amount, field: 'before the log-in' },
  )
  const [asked, setAsked] = useState<AskedBid>()
  const [refusal, setRefusal] = useState<Refusal>()
  const forgetUnplaced = () => {
    clearDraft(draftName)
    setUnplaced({ amount: null, mode: 'exactly' })
  }
  const setChosen = (next: Chosen | undefined) => {
    choose(next)
    // as it was typed before the log-in, it is still the bid that was not placed
    if (next?.amount !== unplaced.amount) forgetUnplaced()
  }
  const { place, isSending, unansweredOf } = usePlaceBid(listing.id, {
    onPlaced: (after, leads) => {
      setAsked(undefined)
      forgetUnplaced()
      choose(undefined)
      if (leads) saySuccess(isLeader ? 'Maximum raised' : 'Bid placed', `You lead on ${after.title}.`)
      onPlaced(after)
    },
    onRefused: (reason) => {
      setAsked(undefined)
      forgetUnplaced()
      setRefusal(reason)
      onRefused()
    },
  })

  const price = (pence: Pence) => formatPrice(pence, listing.price_basis)
  const mode = isLeader ? 'up_to' : chosenMode
  useKeptAtSessionEnd(draftName, { amount: asked?.amount ?? (chosen?.amount === quick[0] ? null : (chosen?.amount ?? null)), mode })
  const { amount, field } = chosen ?? { amount: quick[0], field: `least ${quick[0]}` }
  const problem = amount === null ? undefined : problemOf({ listing, amount, vatRate, price })

  const ask = (wanted: Pence) => {
    setRefusal(undefined)
    setAsked({ amount: wanted, body: bodyOf(listing, mode, wanted) })
  }

  // the price may have moved since the dialog opened; what got no answer is sent as it was
  const confirm = (bid: AskedBid) => {
    const body = unansweredOf(bid.body) ? bid.body : bodyOf(listing, mode, bid.amount)
    setAsked({ ...bid, body })
    return place(body)
  }

  return (
    <form
      noValidate
      aria-label="Bid"
      className="grid gap-4 border-t border-line pt-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (amount !== null && !problem) ask(amount)
      }}
    >
      {!isLeader && (
        <RadioGroup
          label="How to bid"
          className="[&_label]:flex-auto"
          name="mode"
          options={modes}
          chosen={mode}
          onChange={(event) => setMode(event.target.value as BidMode)}
        />
      )}
      <div className="grid gap-2">
        <NumberField
          key={field}
          label={fieldNames[isLeader ? 'leader' : mode]}
          unit={listing.price_basis === 'tonne' ? '£ / t' : '£'}
          help={mode === 'up_to' ? 'We bid one step at a time for you, never more than this. Nobody sees it.' : undefined}
          min={0}
          max={LARGEST_BID}
          decimals={2}
          value={amount === null ? null : amount / 100}
          error={problem}
          onFocus={() => setChosen({ amount, field })}
          onValue={(typed) => setChosen({ amount: typed === null ? null : penceOf(typed), field })}
        />
        <div className="grid grid-cols-3 gap-2" role="group" aria-label="Quick bids">
          {quick.map((step) => (
            <button
              key={step}
              type="button"
              aria-pressed={amount === step}
              className="tabular min-h-11 rounded-base border border-control bg-surface px-1 text-16 hover:bg-sunken aria-pressed:border-primary aria-pressed:bg-primary-soft aria-pressed:font-strong aria-pressed:text-primary"
              onClick={() => setChosen({ amount: step, field: `quick ${step} ${Date.now()}` })}
            >
              {price(step)}
            </button>
          ))}
        </div>
      </div>
      {amount !== null && !problem && <Cost listing={listing} amount={amount} isMost={mode === 'up_to'} />}
      <p className="text-muted">If you win and do not pay in time, the holding fee is charged to your card.</p>
      <div aria-live="polite" className="empty:hidden">
        {unplaced.amount !== null && (
          <div ref={bringIntoView}>
            <Callout look="warning" title="Your bid was not placed">
              <p>Your session had ended, so {price(unplaced.amount)} was not bid. Check the amount and bid again.</p>
            </Callout>
          </div>
        )}
        {refusal && <Refused refusal={refusal} again={againAfter(refusal, mode, amount)} price={price} onAgain={ask} />}
      </div>
      <StickyAction {...{ listing, state }}>
        {/* a leader has nothing to do: raising the maximum must not look as if there were */}
        <Button type="submit" kind={isLeader ? 'plain' : 'primary'} className="w-full" disabled={amount === null || problem !== undefined}>
          {amount === null ? 'Enter your bid' : (problem ?? `${buttonWords[isLeader ? 'leader' : mode]} ${price(amount)}`)}
        </Button>
      </StickyAction>
      {asked && (
        <ConfirmBid
          {...{ listing, isSending }}
          unanswered={unansweredOf(asked.body)}
          amount={asked.amount}
          isMost={asked.body.max_amount !== undefined}
          onConfirm={() => confirm(asked)}
          onCancel={() => setAsked(undefined)}
        />
      )}
    </form>
  )
}

/** However the session ends, by a bid or by live news: what was typed is there after the log-in. */
function useKeptAtSessionEnd(draftName: string, bid: UnplacedBid): void {
  const newest = useRef(bid)
  useEffect(() => {
    newest.current = bid
  })
  useEffect(
    () => () => {
      if (isLoggedOut() && newest.current.amount !== null) saveDraft(draftName, newest.current)
    },
    [draftName],
  )
}

const fieldNames = { exactly: 'Your bid', up_to: 'Your maximum', leader: 'Your new maximum' } as const
const buttonWords = { exactly: 'Bid', up_to: 'Bid up to', leader: 'Raise maximum to' } as const

type Asked = { listing: Listing; amount: Pence; vatRate: number; price: (pence: Pence) => string }

function problemOf({ listing, amount, vatRate, price }: Asked): string | undefined {
  const least = leastBid(listing)
  if (amount < least) return `Bid ${price(least)} or more`
  if (isTooMuch(listing, amount, vatRate)) return 'This comes to more than £999,999.99, the most that can be paid'
  return undefined
}

/** With one click: the new minimum, or the same maximum where it still reaches. */
function againAfter({ minimum_bid }: Refusal, mode: BidMode, amount: Pence | null): Pence | undefined {
  if (minimum_bid === undefined) return undefined
  return mode === 'up_to' && amount !== null && amount >= minimum_bid ? amount : minimum_bid
}

type RefusedProps = { refusal: Refusal; again: Pence | undefined; price: (pence: Pence) => string; onAgain: (amount: Pence) => void }

function Refused({ refusal: { code, message }, again, price, onAgain }: RefusedProps) {
  return (
    <Callout look="danger" title="This bid was not taken">
      <p>{message}</p>
      {code === 'bid_too_low' && again !== undefined && (
        <Button kind="plain" className="mt-2 justify-self-start" onClick={() => onAgain(again)}>
          Bid {price(again)} instead
        </Button>
      )}
      <Remedy code={code} />
    </Callout>
  )
}

// on a phone the box starts below the photo, and a page after a log-in at its top
const bringIntoView = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'center' })
