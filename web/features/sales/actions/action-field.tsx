import { Controller, type UseFormReturn } from 'react-hook-form'
import type { ActionField as Field, Listing } from '#contract/listings.ts'
import type { MediaItem } from '#contract/storage.ts'
import { amendedAmounts, type AmendLine } from '#domain/sales/amend.ts'
import { isDrawn, type ActionValue, type ActionValues } from '#web/features/sales/actions/action-values.ts'
import { helpOf, inWords, labelOf } from '#web/features/sales/actions/field-words.ts'
import { AmendLinesField } from '#web/features/sales/amends/amend-lines-field.tsx'
import { amendedSale } from '#web/features/sales/amends/amended-sale.ts'
import { CodeField } from '#web/features/sales/exchange/code-field.tsx'
import { MomentField } from '#web/features/sales/exchange/moment-field.tsx'
import { Button } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'
import { NumberField } from '#web/ui/fields/number-field.tsx'
import { RadioGroup } from '#web/ui/fields/radio-group.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { DocumentField } from '#web/upload/document-field.tsx'
import { useUploads } from '#web/upload/use-uploads.ts'

type Props = { field: Field; listing: Listing; form: UseFormReturn<ActionValues>; error: string | undefined }

const PENCE = 100
const LARGEST = 100_000_000
const LONG_TEXT = 120
const LONGEST_CODE = 6

/** A field of API.md's kinds, drawn from what the server says of it. */
export function ActionField(props: Props) {
  const { field, form, listing } = props
  if (field.type === 'document' || field.type === 'documents') return <Documents {...props} />
  if (field.type === 'amend_lines') return <AmendLines {...props} />
  if (!isDrawn(field)) return <NotDrawn {...{ field, listing }} />
  return (
    <Controller
      control={form.control}
      name={field.name}
      rules={{ validate: (value) => !field.required || !isEmpty(value) || `${labelOf(field, listing)} is required` }}
      render={({ field: { name, value, onChange } }) => (
        <Input
          {...{
            field,
            name,
            value,
            error: props.error,
            label: labelOf(field, listing),
            help: helpOf(field, listing),
            basis: listing.price_basis,
          }}
          onValue={onChange}
        />
      )}
    />
  )
}

const isEmpty = (value: ActionValue) => value === null || (typeof value === 'string' && value.trim() === '')

type InputProps = {
  field: Field
  name: string
  label: string
  help: string | undefined
  error: string | undefined
  basis: Listing['price_basis']
  value: ActionValue
  onValue: (value: ActionValue) => void
}

function Input({ field, value, onValue, basis, ...shown }: InputProps) {
  const { type, name, max, options = [] } = field
  const typed = { value: typeof value === 'string' ? value : '', onChange: (event: Typed) => onValue(event.target.value) }
  const limit = max === undefined ? {} : { maxLength: max }
  if (type === 'number' || type === 'money') {
    const isMoney = type === 'money'
    return (
      <NumberField
        {...shown}
        unit={isMoney ? (basis === 'tonne' && name.endsWith('_price') ? '£ / t' : '£') : name.endsWith('_kg') && 'kg'}
        min={0}
        max={(max ?? LARGEST) / (isMoney ? PENCE : 1)}
        decimals={isMoney ? 2 : 0}
        value={typeof value === 'number' ? value : null}
        onValue={onValue}
      />
    )
  }
  if (type === 'boolean') return <Checkbox {...shown} checked={value === true} onChange={(event) => onValue(event.target.checked)} />
  if (type === 'choice') {
    const words = Object.fromEntries(options.map((option) => [option, inWords(option)]))
    const { help: _none, ...radio } = shown
    return <RadioGroup {...radio} options={words} chosen={typed.value} onChange={typed.onChange} />
  }
  if (type === 'datetime') return <MomentField {...shown} value={typed.value} onValue={onValue} />
  if (type === 'code') return <CodeField {...shown} digits={max ?? LONGEST_CODE} value={typed.value} onValue={onValue} />
  const Text = (max ?? 0) > LONG_TEXT ? TextArea : TextField
  return <Text {...shown} {...limit} {...typed} />
}

type Typed = { target: { value: string } }

function Documents({ field, form, listing, error }: Props) {
  const { name, kind, required, type } = field
  const most = type === 'document' ? 1 : (field.max ?? 1)
  const { uploads, isUnderWay, add, remove } = useUploads({
    initial: form.getValues(name) as MediaItem[],
    kind,
    most,
    onItems: (items) => {
      form.setValue(name, items)
      form.clearErrors(name)
    },
  })
  const label = labelOf(field, listing)
  return (
    <Controller
      control={form.control}
      name={name}
      rules={{
        validate: (items) => {
          if (isUnderWay) return 'Wait until every file is uploaded'
          return !required || (Array.isArray(items) && items.length > 0) || `${label} is required`
        },
      }}
      render={() => (
        <DocumentField
          {...{ name, label, error, uploads, most }}
          isPhotographed
          help={helpOf(field, listing)}
          onAdd={add}
          onRemove={remove}
        />
      )}
    />
  )
}

/** Checked as the server checks it, before it is sent. */
function AmendLines({ field: { name }, listing, form, error }: Props) {
  const sale = amendedSale(listing)
  return (
    <Controller
      control={form.control}
      name={name}
      rules={{
        validate: (value) => {
          const answer = amendedAmounts({ ...sale, lines: value as AmendLine[] })
          return 'error' in answer ? answer.error : true
        },
      }}
      render={({ field: { value, onChange } }) => (
        <AmendLinesField {...{ name, sale, listing, error }} lines={value as AmendLine[]} onLines={onChange} />
      )}
    />
  )
}

/** A server that is newer than this page: what it asks for must not silently be missing. */
function NotDrawn({ field, listing }: Pick<Props, 'field' | 'listing'>) {
  return (
    <Callout look="warning" title={labelOf(field, listing)}>
      <p>This page is out of date and cannot ask for it. Reload to get the newest version.</p>
      <Button kind="plain" className="mt-2 justify-self-start" onClick={() => location.reload()}>
        Reload
      </Button>
    </Callout>
  )
}
