import { useQuery } from '@tanstack/react-query'
import { Eye } from 'lucide-react'
import { useState, type ComponentType, type ReactNode } from 'react'
import { useWatch, type Control } from 'react-hook-form'
import type { Listing } from '#contract/listings.ts'
import { useVatRate } from '#web/api/config.ts'
import { draftListing, type Seller } from '#web/features/sell/draft-listing.ts'
import { defaultAddressQuery } from '#web/api/default-address.ts'
import type { SellValues } from '#web/features/sell/sell-values.ts'
import { SellerGets } from '#web/features/sell/seller-gets.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

export type PreviewProps = {
  control: Control<SellValues>
  seller: Seller
  /** How a listing looks, which pages bring. */
  Shown: ComponentType<{ listing: Listing; children: ReactNode }>
}

/** What buyers see, and what the seller gets for it. */
export function Preview({ control, seller, Shown }: PreviewProps) {
  const values = useWatch({ control }) as SellValues
  const { data: known } = useQuery(defaultAddressQuery)
  const vatRate = useVatRate()
  const listing = draftListing(values, seller, values.address ?? known ?? null)
  return (
    <div role="group" aria-label="What buyers see" className="grid content-start gap-5">
      <Shown listing={listing}>
        <section aria-labelledby="you-get" className="grid gap-2 rounded-base bg-primary-soft p-3">
          <h3 id="you-get" className="text-14">
            What you get <span className="font-normal text-muted">(only you see this)</span>
          </h3>
          {values.start_price === null ? <p>Enter a start price.</p> : <SellerGets {...{ listing, vatRate }} />}
        </section>
      </Shown>
    </div>
  )
}

/** On a phone the preview is a sheet, one tap before sending. */
export function PreviewSheet(preview: PreviewProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button kind="plain" className="flex-1" onClick={() => setIsOpen(true)}>
        <Eye className="size-5" strokeWidth={1.75} aria-hidden="true" />
        Preview
      </Button>
      {isOpen && (
        <Dialog title="What buyers see" onDismiss={() => setIsOpen(false)}>
          <Preview {...preview} />
          <div className="sticky -bottom-6 -mx-6 -mb-6 grid border-t border-line bg-surface p-4">
            <Button kind="plain" onClick={() => setIsOpen(false)}>
              Back to the form
            </Button>
          </div>
        </Dialog>
      )}
    </>
  )
}
