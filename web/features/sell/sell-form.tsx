import type { ComponentType, ReactNode } from 'react'
import { Controller } from 'react-hook-form'
import { transferMethods } from '#contract/values/transfer-method.ts'
import { durationInWords } from '#domain/duration.ts'
import { AddressChoice } from '#web/features/sell/address-choice.tsx'
import type { Seller } from '#web/features/sell/draft-listing.ts'
import { EndFields, type EndRules } from '#web/features/sell/end-fields.tsx'
import { MediaField } from '#web/upload/media-field.tsx'
import { PapersFields } from '#web/features/sell/papers-fields.tsx'
import { Preview, PreviewSheet, type PreviewProps } from '#web/features/sell/preview.tsx'
import { PriceFields } from '#web/features/sell/price-fields.tsx'
import { useSell, type SellOptions } from '#web/features/sell/use-sell.ts'
import { WhatFields } from '#web/features/sell/what-fields.tsx'
import type { AddressInput } from '#web/forms/address-input.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'
import { RadioGroup } from '#web/ui/fields/radio-group.tsx'
import { useIsWide } from '#web/ui/use-is-wide.ts'
import { useUploads } from '#web/upload/use-uploads.ts'

type Props = Omit<SellOptions, 'durations' | 'sellerId'> & {
  seller: Seller
  rules: EndRules & { late_bid_window: string; late_bid_extension: string }
  AddressField: ComponentType<AddressInput>
  materialOptions: ReactNode
  Shown: PreviewProps['Shown']
}

const transfers = { [transferMethods.Collection]: 'Collection', [transferMethods.Delivery]: 'Delivery' }

/** In the order in which somebody stands before a load: picture, name, price, place. The rest has its defaults. */
export function SellForm({ seller, edit, rules, AddressField, materialOptions, Shown, onSent }: Props) {
  const isWide = useIsWide()
  const sell = useSell({ sellerId: seller.id, edit, durations: rules.listing_durations, onSent })
  const { form, field, errorOf, submit, isSending } = sell
  const { uploads, isUnderWay, add, remove, move } = useUploads({
    initial: form.getValues('media'),
    onItems: (items) => {
      form.setValue('media', items)
      form.clearErrors('media')
    },
  })
  const preview = { control: form.control, seller, Shown }

  return (
    <form
      noValidate
      onSubmit={submit}
      aria-label={edit ? 'Edit listing' : 'List goods'}
      className="grid items-start gap-x-16 lg:grid-cols-[minmax(0,40rem)_minmax(20rem,26rem)]"
    >
      <div className="grid min-w-0">
        <Part title="Photos and videos">
          <Controller
            control={form.control}
            name="media"
            rules={{
              validate: (media) => {
                if (isUnderWay) return 'Wait until every file is uploaded'
                return media.length > 0 || 'Add at least one photo'
              },
            }}
            render={({ field: { name } }) => (
              <MediaField name={name} uploads={uploads} onAdd={add} onRemove={remove} onMove={move} error={errorOf('media')} />
            )}
          />
        </Part>
        <Part title="What it is">
          <WhatFields form={form} field={field} materialOptions={materialOptions} />
        </Part>
        <Part title="Price, before VAT">
          <PriceFields form={form} field={field} errorOf={errorOf} />
          <EndFields form={form} field={field} rules={rules} />
        </Part>
        <Part title="Handover" about="Buyers see the town and the postcode district, not the street.">
          <RadioGroup label="How the buyer gets it" options={transfers} {...field('transfer_method_id')} />
          <AddressChoice form={form} field={field} error={errorOf('address')} AddressField={AddressField} />
        </Part>
        <Part title="Options">
          <div className="grid gap-1">
            <Checkbox
              label="Late bids extend the end"
              help={`A bid in the last ${durationInWords(rules.late_bid_window)} gives everybody ${durationInWords(rules.late_bid_extension)} more.`}
              {...field('extends_on_late_bids')}
            />
            <Checkbox
              label="It may be paid later"
              help="By buyers with terms of their own, within their limit. You hand the goods over first, and bear the risk."
              {...field('accepts_deferred_payment')}
            />
            <Checkbox
              label="I invoice the buyer myself"
              help="You upload your invoice when it is sold. Otherwise we make it."
              {...field('seller_invoices')}
            />
          </div>
        </Part>
        <Part title="Papers" about="Kept with the listing. Bidders do not see them.">
          <PapersFields form={form} errorOf={errorOf} />
        </Part>
        <div className="sticky z-20 flex gap-3 border-t border-line bg-ground py-3 max-md:bottom-[calc(3.75rem+env(safe-area-inset-bottom))] max-md:-mx-4 max-md:bg-surface max-md:px-4 max-md:py-2 md:bottom-0">
          {!isWide && <PreviewSheet {...preview} />}
          <Button type="submit" isLoading={isSending} className="flex-1">
            {edit ? 'Save changes' : 'List it'}
          </Button>
        </div>
      </div>
      {isWide && (
        <aside aria-labelledby="preview" className="sticky top-8 grid gap-4 border-t border-line pt-6">
          <h2 id="preview" className="text-16">
            What buyers see
          </h2>
          <Preview {...preview} />
        </aside>
      )}
    </form>
  )
}

function Part({ title, about, children }: { title: string; about?: string; children: ReactNode }) {
  return (
    <section className="grid gap-5 border-t border-line py-6">
      <div className="grid gap-1">
        <h2 className="tabular text-20">{title}</h2>
        {about && <p className="text-muted">{about}</p>}
      </div>
      {children}
    </section>
  )
}
