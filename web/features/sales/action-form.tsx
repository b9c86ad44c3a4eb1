import { useEffect, useRef, useState } from 'react'
import { ActionField } from '#web/features/sales/action-field.tsx'
import { bodyOf, emptyValues, isDrawn, type ActionValues } from '#web/features/sales/action-values.ts'
import { meaningOf, wordsOf } from '#web/features/sales/action-words.ts'
import { Confirm, Refusal } from '#web/features/sales/confirm.tsx'
import { useAction, type ActionProps } from '#web/features/sales/use-action.ts'
import { useForm } from '#web/forms/form.ts'
import { Button } from '#web/ui/button.tsx'

/** The form of an action, in the page: what is typed stays until it is taken. */
export function ActionForm(props: ActionProps) {
  const { listing, action, onClose } = props
  // as it was when it was opened: what is typed must not lose its field
  const [{ fields, label, action: name }] = useState(action)
  const words = wordsOf(name, label)
  const element = useRef<HTMLFormElement>(null)
  const isConfirmed = useRef(false)
  const [isAsking, setIsAsking] = useState(false)
  const { send, isSending, refusal } = useAction(props)
  const { form, submit, errorOf } = useForm<ActionValues>({
    defaultValues: emptyValues(fields),
    problemOf: (key, message) => ({ name: key.split('.')[0] ?? key, message }),
    send: async (values) => {
      if (words.isDestructive && !isConfirmed.current) return setIsAsking(true)
      try {
        await send(bodyOf(fields, values))
      } finally {
        isConfirmed.current = false
        setIsAsking(false)
      }
    },
  })
  // the button that opened it is gone
  useEffect(() => element.current?.querySelector<HTMLElement>('h3')?.focus(), [])
  const kind = words.isDestructive ? 'danger' : 'primary'
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
        <Button kind="plain" onClick={onClose} disabled={isSending} className="max-md:flex-auto">
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
