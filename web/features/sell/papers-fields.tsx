import { Controller } from 'react-hook-form'
import { MOST_MEDIA } from '#contract/values/limits.ts'
import { storageObjectKinds } from '#contract/values/storage-kinds.ts'
import type { Sell } from '#web/features/sell/use-sell.ts'
import { DocumentField } from '#web/upload/document-field.tsx'
import { useUploads } from '#web/upload/use-uploads.ts'

type Papers = 'weighbridge_tickets' | 'load_images'

// a listing holds so many papers in all (SPEC §5)
const MOST_OF_EACH = MOST_MEDIA / 2

/** What a seller has before there is a buyer: the load weighed, and the load pictured. */
export function PapersFields(sell: Pick<Sell, 'form' | 'errorOf'>) {
  return (
    <div className="grid gap-5">
      <PapersField {...sell} name="weighbridge_tickets" label="Weighbridge ticket (optional)" kind={storageObjectKinds.WeighbridgeTicket} />
      <PapersField {...sell} name="load_images" label="Load pictures for the papers (optional)" kind={storageObjectKinds.LoadImage} />
    </div>
  )
}

type Props = Pick<Sell, 'form' | 'errorOf'> & { name: Papers; label: string; kind: number }

function PapersField({ form, errorOf, name, label, kind }: Props) {
  const { uploads, isUnderWay, add, remove } = useUploads({
    initial: form.getValues(name),
    kind,
    most: MOST_OF_EACH,
    onItems: (items) => {
      form.setValue(name, items)
      form.clearErrors(name)
    },
  })
  return (
    <Controller
      control={form.control}
      name={name}
      rules={{ validate: () => !isUnderWay || 'Wait until every file is uploaded' }}
      render={() => <DocumentField {...{ name, label, uploads }} most={MOST_OF_EACH} onAdd={add} onRemove={remove} error={errorOf(name)} />}
    />
  )
}
