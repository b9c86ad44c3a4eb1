import { useQuery } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { useEffect, type ComponentType } from 'react'
import { Controller, useWatch } from 'react-hook-form'
import { ENQUIRY_TEXT_MAX, ENQUIRY_TITLE_MAX } from '#contract/market/enquiry-values.ts'
import type { OwnEnquiry } from '#contract/market/enquiries.ts'
import { materials } from '#contract/values/materials.ts'
import { sentences } from '#contract/values/sentences.ts'
import { formatIsoDay } from '#domain/format-time.ts'
import { call } from '#web/api/api.ts'
import { defaultAddressQuery } from '#web/api/default-address.ts'
import { serverNow } from '#web/api/server-clock.ts'
import { readMarketAgain } from '#web/features/market/data/queries.ts'
import { bodyOf, emptyPost, valuesOf, type PostValues } from '#web/features/market/post/post-values.ts'
import type { AddressInput } from '#web/forms/address-input.ts'
import { useForm } from '#web/forms/form.ts'
import { MaterialOptions } from '#web/listing/material-options.tsx'
import { askUntilAnswered } from '#web/sending/ask-until-answered.ts'
import { clearDraft, readDraft, saveDraft } from '#web/sending/draft.ts'
import { useIdempotentSend } from '#web/sending/idempotent-send.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'
import { NumberField } from '#web/ui/fields/number-field.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { MediaField } from '#web/upload/media-field.tsx'
import { useUploads } from '#web/upload/use-uploads.ts'

const WEIGHT_MAX = 1_000_000

type Props = {
  userId: string
  /** The enquiry that is edited; without it a new one is posted. */
  edit?: OwnEnquiry | undefined
  AddressField: ComponentType<AddressInput>
  onSent: (enquiry: OwnEnquiry) => void
}

/** In the order in which somebody stands before a skip: photo, material, weight, where. The rest can be left out. */
export function PostForm({ userId, edit, AddressField, onSent }: Props) {
  const sendOnce = useIdempotentSend()
  const draft = `enquiry-draft-${edit ? `edit-${edit.id}` : userId}`
  const { form, field, errorOf, submit, isSending } = useForm<PostValues>({
    defaultValues: readDraft(draft, edit ? valuesOf(edit) : emptyPost),
    problemOf: (key, message) =>
      key.startsWith('address.') ? { name: 'address', message: sentences.addressInvalid } : { name: key, message },
    send: async (values) => {
      const body = bodyOf(values)
      const { data } = edit
        ? await askUntilAnswered({ ask: () => call('PUT /api/v1/market/enquiries/{id}', { params: { id: edit.id }, body }) })
        : await sendOnce(body, (idempotencyKey) => call('POST /api/v1/market/enquiries', { body, idempotencyKey }))
      form.reset(emptyPost)
      clearDraft(draft)
      void readMarketAgain()
      onSent(data)
    },
  })
  const { uploads, isUnderWay, add, remove, move } = useUploads({
    initial: form.getValues('media'),
    onItems: (items) => form.setValue('media', items),
  })
  useEffect(() => form.subscribe({ formState: { values: true }, callback: ({ values }) => saveDraft(draft, values) }), [form, draft])

  /** The title follows the material until somebody writes another one. */
  const suggestTitle = () => {
    const { material_id, title } = form.getValues()
    if (material_id && (title === '' || suggestions.has(title))) form.setValue('title', suggestionOf(material_id))
  }

  return (
    <form
      noValidate
      onSubmit={(event) => void submit(event)}
      aria-label={edit ? 'Edit enquiry' : 'Post an enquiry'}
      className="grid max-w-160 gap-5"
    >
      <Controller
        control={form.control}
        name="media"
        rules={{ validate: () => !isUnderWay || 'Wait until every photo is uploaded' }}
        render={({ field: { name } }) => (
          <MediaField name={name} uploads={uploads} onAdd={add} onRemove={remove} onMove={move} error={errorOf('media')} />
        )}
      />
      <SelectField label="Material" {...field('material_id', { required: 'Choose a material', onChange: suggestTitle })}>
        <option value="">Choose a material</option>
        <MaterialOptions />
      </SelectField>
      <TextField
        label="Title"
        maxLength={ENQUIRY_TITLE_MAX}
        help="Such as: copper cable from a rewire"
        {...field('title', { required: 'Title is required' })}
      />
      <div className="grid grid-cols-2 gap-4">
        <Controller
          control={form.control}
          name="weight_kg"
          render={({ field: { name, value, onChange } }) => (
            <NumberField
              name={name}
              label="Rough weight (optional)"
              unit="kg"
              min={1}
              max={WEIGHT_MAX}
              decimals={0}
              value={value}
              onValue={onChange}
              error={errorOf('weight_kg')}
            />
          )}
        />
        <TextField label="Available from (optional)" type="date" min={formatIsoDay(serverNow())} {...field('available_from')} />
      </div>
      <WhereFields form={form} field={field} error={errorOf('address')} AddressField={AddressField} />
      <details open={edit !== undefined && edit.description !== ''} className="group border-y border-line">
        <summary className="flex min-h-11 items-center justify-between gap-3 font-strong">
          More about it (optional)
          <ChevronDown className="size-4 shrink-0 text-muted group-open:rotate-180" aria-hidden="true" />
        </summary>
        <div className="pt-1 pb-4">
          <TextArea
            label="Description"
            rows={4}
            maxLength={ENQUIRY_TEXT_MAX}
            help="How clean it is, how it is packed, whether a van can reach it. No phone numbers, emails or links."
            {...field('description')}
          />
        </div>
      </details>
      <div className="sticky z-20 border-t border-line bg-ground py-3 max-md:bottom-[calc(3.75rem+env(safe-area-inset-bottom))] max-md:-mx-4 max-md:bg-surface max-md:px-4 max-md:py-2 md:bottom-0">
        <Button type="submit" isLoading={isSending} className="w-full">
          {edit ? 'Save changes' : 'Post it'}
        </Button>
      </div>
    </form>
  )
}

type Fields = Pick<ReturnType<typeof useForm<PostValues>>, 'form' | 'field'>

/** The default address, or another one; without a default the other one is asked for at once. */
function WhereFields({ form, field, error, AddressField }: Fields & Pick<Props, 'AddressField'> & { error: string | undefined }) {
  const { data: known, isPending } = useQuery(defaultAddressQuery)
  const isDefault = useWatch({ control: form.control, name: 'use_default_address' })
  if (isPending) return <Skeleton className="h-11 w-full" />
  return (
    <div className="grid gap-3">
      {known && (
        <Checkbox
          label="It is at my default address"
          help={`${known.town}, ${known.post_code}. Others see the town and the postcode district only.`}
          {...field('use_default_address', { onChange: () => form.setValue('address', null) })}
        />
      )}
      {!(known && isDefault) && (
        <Controller
          control={form.control}
          name="address"
          rules={{ validate: (address) => address !== null || 'Address is required' }}
          render={({ field: { name, value, onChange } }) => <AddressField label="Where it is" {...{ name, value, onChange, error }} />}
        />
      )}
    </div>
  )
}

const suggestionOf = (id: keyof typeof materials) => {
  const { name, group } = materials[id]
  return name === group || group === 'Goods' || group === 'Mixed and WEEE' ? name : `${group}, ${name.toLowerCase()}`
}
const suggestions = new Set((Object.keys(materials) as (keyof typeof materials)[]).map(suggestionOf))
