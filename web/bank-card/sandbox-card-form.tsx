import { useEffect, useRef, useState, type SyntheticEvent } from 'react'
import { sayError } from '#web/api/notices.ts'
import { leaveFor, returnAddress } from '#web/bank-card/bank-page.ts'
import { digitsIn, expiryOf, groupExpiry, groupNumber, placeAfter } from '#web/bank-card/card-digits.ts'
import { CardButtons, secretOf, type CardFormProps } from '#web/bank-card/card-form-parts.tsx'
import type { CardField, CardOutcome } from '#web/bank-card/card-outcome.ts'
import { SandboxCards } from '#web/bank-card/sandbox-cards.tsx'
import { confirmCard, type Sandbox, type TypedCard } from '#web/bank-card/sandbox-provider.ts'
import { useOneAtATime } from '#web/sending/one-at-a-time.ts'
import { TextField } from '#web/ui/fields/text-field.tsx'

type Errors = Partial<Record<CardField, string>>

/** The fields keep their own text: what is on the card is in no state of ours, and is read once, when it is sent. */
export function SandboxCardForm({
  clientSecret,
  name,
  label,
  onConfirmed,
  onCancel,
  refusal,
  sandbox,
}: CardFormProps & { sandbox: Sandbox }) {
  const form = useRef<HTMLFormElement>(null)
  const [errors, setErrors] = useState<Errors>(refusal ? { number: refusal } : {})
  const { isBusy, run, rest } = useOneAtATime()

  // with the errors drawn: to the first of them
  useEffect(() => {
    if (Object.keys(errors).length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [errors])

  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    void run(async () => {
      const typed = read(new FormData(form.current ?? undefined))
      setErrors(typed.errors ?? {})
      if (!typed.card) return
      try {
        const secret = await secretOf(clientSecret)
        const outcome: CardOutcome = secret
          ? await confirmCard(sandbox, secret, typed.card, returnAddress(name))
          : { end: 'confirmed', paymentMethod: null }
        if (outcome.end === 'authenticate') {
          leaveFor(outcome.url, rest)
          return 'left'
        }
        if (outcome.end === 'refused') return setErrors({ [outcome.field]: outcome.message })
        await onConfirmed(outcome.paymentMethod)
      } catch (error) {
        sayError(error, () => form.current?.requestSubmit())
      }
    })
  }

  return (
    <form ref={form} noValidate onSubmit={submit} className="grid gap-5" aria-label="Card">
      <TextField
        label="Card number"
        name="number"
        inputMode="numeric"
        autoComplete="cc-number"
        placeholder="1234 1234 1234 1234"
        maxLength={23}
        onInput={(event) => regroup(event, groupNumber)}
        error={errors.number}
        readOnly={isBusy}
      />
      <div className="grid grid-cols-2 gap-4">
        <TextField
          label="Expiry date"
          name="expiry"
          inputMode="numeric"
          autoComplete="cc-exp"
          placeholder="MM / YY"
          maxLength={9}
          onInput={(event) => regroup(event, groupExpiry)}
          error={errors.expiry}
          readOnly={isBusy}
        />
        <TextField
          label="CVC"
          name="cvc"
          inputMode="numeric"
          autoComplete="cc-csc"
          placeholder="123"
          maxLength={4}
          onInput={(event) => regroup(event, digitsIn)}
          error={errors.cvc}
          readOnly={isBusy}
        />
      </div>
      <SandboxCards />
      <CardButtons {...{ label, isBusy, onCancel }} />
    </form>
  )
}

const textIn = (data: FormData, name: CardField) => {
  const value = data.get(name)
  return typeof value === 'string' ? value : ''
}

function read(data: FormData): { card?: TypedCard; errors?: Errors } {
  const number = digitsIn(textIn(data, 'number'))
  const expiry = expiryOf(textIn(data, 'expiry'))
  const cvc = digitsIn(textIn(data, 'cvc'))
  const errors: Errors = {
    ...(number.length < 12 && { number: 'Enter the whole card number' }),
    ...(!expiry && { expiry: 'Enter the month and the year' }),
    ...(cvc.length < 3 && { cvc: 'Enter the 3 or 4 digits' }),
  }
  return expiry && Object.keys(errors).length === 0 ? { card: { number, ...expiry, cvc } } : { errors }
}

/** Written as on the card while it is typed, with the caret after the same digit as before. */
function regroup({ currentTarget: input, nativeEvent }: SyntheticEvent<HTMLInputElement>, group: (text: string) => string) {
  const isErasing = 'inputType' in nativeEvent && nativeEvent.inputType === 'deleteContentBackward'
  const caret = input.selectionStart ?? input.value.length
  const digits = digitsIn(input.value.slice(0, caret)).length
  // a stroke that is erased takes no digit with it and would come back at once
  const text = isErasing ? group(input.value).replace(/ \/ $/, '') : group(input.value)
  if (text === input.value) return
  const isAtEnd = caret === input.value.length
  input.value = text
  const at = isAtEnd ? text.length : placeAfter(text, digits)
  input.setSelectionRange(at, at)
}
