import { useRef, type SyntheticEvent } from 'react'
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { ApiError } from '#web/api-error.ts'
import { sayError } from '#web/notices.ts'

type Options = {
  /** The field that shows a server's error key; a key without a field is told in a card. */
  fieldOf?: (key: string) => string
  /** Shows a refusal in its own way; false leaves it to the card. */
  whenRefused?: (error: ApiError) => boolean
}

/** SPEC §8: clear the errors, send once, put field errors under their fields, tell the rest in a card. */
export function useSubmit<F extends FieldValues>(form: UseFormReturn<F>, send: (values: F) => Promise<void>, options: Options = {}) {
  const isSending = useRef(false)

  return async function submit(event: SyntheticEvent<HTMLFormElement>) {
    event.preventDefault()
    const element = event.currentTarget
    if (isSending.current) return
    isSending.current = true
    form.clearErrors()
    try {
      await form.handleSubmit(send)()
    } catch (error) {
      const isShown = error instanceof ApiError && (options.whenRefused?.(error) || showFieldErrors(form, element, error, options.fieldOf))
      if (!isShown) sayError(error, () => element.requestSubmit())
    } finally {
      isSending.current = false
      focusFirstError(element)
    }
  }
}

function showFieldErrors<F extends FieldValues>(form: UseFormReturn<F>, element: HTMLFormElement, error: ApiError, fieldOf = (key: string) => key): boolean {
  if (error.status !== 422) return false
  const entries = Object.entries(error.errors).map(([key, [message]]) => ({ name: fieldOf(key), message: message ?? error.message }))
  const shown = entries.filter(({ name }) => element.querySelector(`[name="${CSS.escape(name)}"]`))
  for (const { name, message } of shown) form.setError(name as Path<F>, { type: 'server', message })
  return shown.length > 0 && shown.length === entries.length
}

/** After the errors are drawn. */
function focusFirstError(element: HTMLFormElement) {
  requestAnimationFrame(() => element.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
}
