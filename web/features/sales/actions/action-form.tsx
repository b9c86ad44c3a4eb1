import { useEffect, useRef, useState } from 'react'
import { ActionField } from '#web/features/sales/actions/action-field.tsx'
import { bodyOf, draftName, firstValues, isDrawn, keptValues, type ActionValues } from '#web/features/sales/actions/action-values.ts'
import { meaningOf, wordsOf } from '#web/features/sales/actions/action-words.ts'
import { Confirm, Refusal } from '#web/features/sales/actions/confirm.tsx'
import { useAction, type ActionProps } from '#web/features/sales/actions/use-action.ts'
import { useForm } from '#web/forms/form.ts'
import { isDestructive } from '#web/listing/action-order.ts'
import { clearDraft, readDraft, saveDraft } from '#web/sending/draft.ts'
import { Button } from '#web/ui/button.tsx'

/** The form of an action, in the page: what is typed stays until it is taken or cancelled, a reload included. */
export function ActionForm(props: ActionProps) {
  const { listing, action, onClose } = props
  // as it was when it was opened: what is typed must not lose its field
  const [{ fields, label, action: name }] = useState(action)
  const words = wordsOf(name, label)
  const isAskedTwice = isDestructive(action)
  const element = useRef<HTMLFormElement>(null)
  const isConfirmed = useRef(false)
  const [isAsking, setIsAsking] = useState(false)
  const draft = draftName(listing, name)
  const close = () => {
    clearDraft(draft)
    onClose()
  }
  const { send, isSending, refusal } = useAction({ ...props, onClose: close })
  const { form, submit, errorOf } = useForm<ActionValues>({
    defaultValues: readDraft(draft, firstValues(fields, listing)),
    problemOf: (key, message) => ({ name: key.split('.')[0] ?? key, message }),
    send: async (values) => {
      if (isAskedTwice && !isConfirmed.current) return setIsAsking(true)
      try {
        await send(bodyOf(fields, values))
      } finally {
        isConfirmed.current = false
        setIsAsking(false)
      }
    },
  })
  useEffect(
    () => form.subscribe({ formState: { values: true }, callback: ({ values }) => saveDraft(draft, keptValues(fields, values)) }),
    [form, draft, fields],
  )
  // the button that opened it is gone
  useEffect(() => element.current?.querySelector<HTMLElement>('h3')?.focus(), [])
  const kind = isAskedTwice ? 'danger' : 'primary'
  return (
    <form ref={element} noValidate onSubmit={submit} aria-label={label} className="grid gap-4">
      <div className="grid gap-1">
        <h3 tabIndex={-1} className="text-16">
          {label}
        </h3>
        <p className="text-muted empty:hidden">{meaningOf(words, listing)}</p>
      </div>
      {fields.map((field) => (
        <ActionField key={field.name} {...{ field, listing, form }} error={errorOf(field.name)} />
      ))}
      <Refusal says={refusal} />
      <div className="flex flex-wrap justify-end gap-3">
        <Button kind="plain" onClick={close} disabled={isSending} className="max-md:flex-auto">
          Cancel
        </Button>
        <Button type="submit" kind={kind} isLoading={isSending} disabled={!fields.every(isDrawn)} className="max-md:flex-auto">
          {label}
        </Button>
      </div>
      {isAsking && (
        <Confirm
          {...{ label, kind, isSending }}
          meaning={meaningOf(words, listing)}
          onConfirm={() => {
            isConfirmed.current = true
            element.current?.requestSubmit()
          }}
          onCancel={() => setIsAsking(false)}
        />
      )}
    </form>
  )
}
