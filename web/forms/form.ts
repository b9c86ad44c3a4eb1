import { useEffect, useRef, useState, type SyntheticEvent } from 'react'
import { useForm as useHookForm, type DefaultValues, type FieldValues, type Path, type RegisterOptions } from 'react-hook-form'
import { ApiError } from '#web/api/api-error.ts'
import { sayError } from '#web/api/notices.ts'

type FieldProblem = { name: string; message: string }
type Options<F extends FieldValues> = {
  defaultValues: DefaultValues<F>
  send: (values: F) => Promise<void>
  /** Which field shows a server's error, and how; the same key and message unless told. */
  problemOf?: (key: string, message: string) => FieldProblem
  /** Shows a refusal in its own way; false leaves it to a card. */
  whenRefused?: (error: ApiError) => boolean
}

/** SPEC §8: clear the errors, send once, put field errors under their fields, tell the rest in a card. */
export function useForm<F extends FieldValues>({
  defaultValues,
  send,
  problemOf = (name, message) => ({ name, message }),
  whenRefused,
}: Options<F>) {
  'use no memo' // react-hook-form changes its errors in place, which the compiler's memory would not see
  const form = useHookForm<F>({ defaultValues, shouldFocusError: false })
  const { formState } = form
  const { isSubmitting, errors: _watched } = formState
  const isSending = useRef(false)
  const [answered, setAnswered] = useState<{ by: HTMLFormElement }>()

  // with the errors drawn: to the first of them; else back to the button that lost the focus while it was disabled
  useEffect(() => {
    const wrong = answered?.by.querySelector<HTMLElement>('fieldset[aria-invalid="true"] input, :not(fieldset)[aria-invalid="true"]')
    if (wrong) wrong.focus()
    else if (document.activeElement === document.body) answered?.by.querySelector<HTMLElement>('[type="submit"]')?.focus()
  }, [answered])

  const errorOf = (name: Path<F>): string | undefined => form.getFieldState(name, formState).error?.message

  async function submit(event: SyntheticEvent<HTMLFormElement>) {
    event.preventDefault()
    const element = event.currentTarget
    if (isSending.current) return
    isSending.current = true
    form.clearErrors()
    try {
      await form.handleSubmit(send)()
    } catch (error) {
      if (!(error instanceof ApiError && (whenRefused?.(error) || showProblems(element, error))))
        sayError(error, () => element.requestSubmit())
    } finally {
      isSending.current = false
      setAnswered({ by: element })
    }
  }

  function showProblems(element: HTMLFormElement, error: ApiError): boolean {
    if (error.status !== 422) return false
    const problems = Object.entries(error.errors).map(([key, messages]) => problemOf(key, messages[0] ?? error.message))
    const shown = problems.filter(({ name }) => element.querySelector(`[name="${CSS.escape(name)}"]`))
    for (const { name, message } of shown) form.setError(name as Path<F>, { type: 'server', message })
    return shown.length > 0 && shown.length === problems.length
  }

  return {
    form,
    submit,
    isSending: isSubmitting,
    errorOf,
    /** Everything an input needs: name, handlers, rules, error. */
    field: <N extends Path<F>>(name: N, rules?: RegisterOptions<F, N>) => ({ ...form.register(name, rules), error: errorOf(name) }),
  }
}
