import type { Stripe, StripeCardElement } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import { useEffect, useId, useRef, useState, type SyntheticEvent } from 'react'
import { sayError } from '#web/api/notices.ts'
import { CardButtons, secretOf, type CardFormProps } from '#web/bank-card/card-form-parts.tsx'
import { intentOf, outcomeOfAnswer, type CardOutcome } from '#web/bank-card/card-outcome.ts'
import { cardStyle } from '#web/bank-card/stripe-style.ts'
import { useOneAtATime } from '#web/sending/one-at-a-time.ts'
import { controlLook, FieldError } from '#web/ui/fields/field.tsx'

type Loaded = { stripe: Stripe; card: StripeCardElement }

/** Stripe's card field: cards are what our server keeps, and it needs no secret before it is sent. Authentication opens above the page. */
export function StripeCardForm({
  clientSecret,
  label,
  onConfirmed,
  onCancel,
  refusal,
  publishableKey,
}: CardFormProps & { publishableKey: string }) {
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const place = useRef<HTMLDivElement>(null)
  const loaded = useRef<Loaded>(null)
  const [isReady, setIsReady] = useState(false)
  const [error, setError] = useState(refusal)
  const { isBusy, run } = useOneAtATime()

  useEffect(() => {
    let isGone = false
    const mount = async () => {
      const stripe = await loadStripe(publishableKey)
      if (!stripe || !place.current || isGone) return
      const card = stripe.elements().create('card', { hidePostalCode: true, style: cardStyle(place.current) })
      card.on('ready', () => setIsReady(true))
      card.on('change', (change) => setError(change.error?.message))
      card.mount(place.current)
      loaded.current = { stripe, card }
    }
    // SPEC §8: only logged; the form stays as it is, unavailable
    mount().catch((error: unknown) => console.warn('the card form did not load', error))
    return () => {
      isGone = true
      loaded.current?.card.destroy()
      loaded.current = null
    }
  }, [publishableKey])

  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    void run(async () => {
      setError(undefined)
      try {
        const secret = await secretOf(clientSecret)
        if (!loaded.current) return
        const outcome: CardOutcome = secret ? await confirm(loaded.current, secret) : { end: 'confirmed', paymentMethod: null }
        if (outcome.end === 'confirmed') await onConfirmed(outcome.paymentMethod)
        if (outcome.end === 'refused') setError(outcome.message)
      } catch (failure) {
        sayError(failure, () => form.current?.requestSubmit())
      }
    })
  }

  return (
    <form ref={form} noValidate onSubmit={submit} className="grid gap-5" aria-label="Card">
      <div className="grid gap-2">
        <p id={id} className="font-strong">
          Card
        </p>
        <div ref={place} role="group" aria-labelledby={id} aria-busy={!isReady} className={`${controlLook} py-3`} />
        <FieldError id={`${id}-error`} error={error} />
      </div>
      <CardButtons {...{ label, isBusy, isReady, onCancel }} />
    </form>
  )
}

async function confirm({ stripe, card }: Loaded, clientSecret: string): Promise<CardOutcome> {
  const data = { payment_method: { card } }
  if (intentOf(clientSecret)?.form === 'payment') {
    const { paymentIntent, error } = await stripe.confirmCardPayment(clientSecret, data)
    return outcomeOfAnswer(paymentIntent, error)
  }
  const { setupIntent, error } = await stripe.confirmCardSetup(clientSecret, data)
  return outcomeOfAnswer(setupIntent, error)
}
