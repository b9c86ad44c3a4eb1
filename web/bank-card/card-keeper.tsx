import { CreditCard } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { Card } from '#contract/payments.ts'
import { useReturnedCard } from '#web/bank-card/bank-page.ts'
import { CardForm } from '#web/bank-card/card-form.tsx'
import { Button } from '#web/ui/button.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

type Props = {
  /** Tells this card's form apart from the others of the page. */
  name: string
  card: Card | null
  /** Shown in place of a card. */
  empty: ReactNode
  newSecret: () => Promise<string>
  /** The provider has the card: what is left to be done with it. */
  keep: (paymentMethod: string | null) => Promise<void>
}

/** A card that is kept at the provider, and the form that puts another in its place. */
export function CardKeeper({ name, card, empty, newSecret, keep }: Props) {
  const [secret, setSecret] = useState<string>()
  const [isOpen, setIsOpen] = useState<boolean>()
  const close = () => {
    setIsOpen(false)
    setSecret(undefined)
  }
  const finish = async (paymentMethod: string | null) => {
    await keep(paymentMethod)
    close()
  }
  const returned = useReturnedCard(name, finish)
  // a card that was refused is tried again on the intent that it was refused on
  const askSecret = async () => {
    const asked = secret ?? (returned.refusal && returned.secret) ?? (await newSecret())
    setSecret(asked)
    return asked
  }

  if (returned.isChecking)
    return (
      <p role="status" className="flex min-h-11 items-center gap-3 text-muted">
        <Spinner className="size-5" /> Asking your bank…
      </p>
    )
  return (
    <div className="grid gap-4">
      {card ? <SavedCard card={card} /> : empty}
      {(isOpen ?? returned.refusal !== undefined) ? (
        <CardForm name={name} clientSecret={askSecret} label="Save card" onConfirmed={finish} onCancel={close} refusal={returned.refusal} />
      ) : (
        <Button kind="plain" className="justify-self-start" onClick={() => setIsOpen(true)}>
          {card ? 'Change card' : 'Add a card'}
        </Button>
      )}
    </div>
  )
}

const brands: Record<string, string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  diners: 'Diners Club',
  discover: 'Discover',
  jcb: 'JCB',
  unionpay: 'UnionPay',
}

/** 'Visa ending in 4242'. */
export const cardName = ({ brand, last4 }: Card): string => `${brands[brand] ?? brand} ending in ${last4}`

/** The card's name, and until when it is good. */
function SavedCard({ card: { brand, last4, exp_month, exp_year, is_expired } }: { card: Card }) {
  const expiry = `${String(exp_month).padStart(2, '0')}/${exp_year % 100}`
  return (
    <div className="grid grid-cols-[auto_1fr_auto] items-center gap-x-3">
      <CreditCard className="size-5 text-muted" strokeWidth={1.75} aria-hidden="true" />
      <p>
        {brands[brand] ?? brand} <span className="text-muted">ending in</span> <span className="tabular text-16">{last4}</span>
      </p>
      <p className={is_expired ? 'font-strong text-danger' : 'text-muted'}>
        {is_expired ? 'Expired' : 'Expires'} <span className="tabular text-16">{expiry}</span>
      </p>
    </div>
  )
}
