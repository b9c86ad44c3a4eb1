import type { Listing } from '#contract/listings.ts'
import { formatMoment } from '#domain/format-time.ts'
import { Callout } from '#web/ui/callout.tsx'

/** What the seller added after the first bid, and why it was withdrawn. */
export function SellerNotes({ listing: { notes, withdrawal_reason } }: { listing: Listing }) {
  return (
    <>
      {withdrawal_reason && (
        <Callout look="danger" title="The seller withdrew this listing">
          <p className="whitespace-pre-line wrap-anywhere">{withdrawal_reason}</p>
        </Callout>
      )}
      {notes.map(({ text, at }) => (
        <Callout key={at} title={`Note from the seller, ${formatMoment(new Date(at))}`}>
          <p className="whitespace-pre-line wrap-anywhere">{text}</p>
        </Callout>
      ))}
    </>
  )
}
