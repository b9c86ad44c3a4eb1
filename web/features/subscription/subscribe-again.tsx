import { useState } from 'react'
import type { Card } from '#contract/payments.ts'
import { sentences } from '#contract/values/sentences.ts'
import { formatPence } from '#domain/format.ts'
import { sayError, saySuccess } from '#web/api/notices.ts'
import { cardName } from '#web/bank-card/card-keeper.tsx'
import { CardOnFile } from '#web/features/subscription/subscription-card.tsx'
import { useOneAtATime } from '#web/sending/one-at-a-time.ts'
import { StillWaiting } from '#web/sending/still-waiting.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

/** Tells this form apart when the bank's page comes back to it. */
export const CARD_ON_FILE = 'subscription-again'

type Props = {
  card: Card
  /** In pence. */
  dueToday: number
  /** Answers the secret that still has to be confirmed; null where the card was charged. */
  begin: () => Promise<string | null>
  /** Whether our server knows of the subscription. */
  onConfirmed: () => Promise<boolean>
  /** The card on file was not charged: one is asked for in its place. */
  onNotCharged: (says: string) => void
}

/** With a card on file: names it, lets another be used, and charges it once that is confirmed. */
export function SubscribeAgain({ card, dueToday, begin, onConfirmed, onNotCharged }: Props) {
  const [isAsked, setIsAsked] = useState(false)
  const { isBusy, run } = useOneAtATime()
  const name = cardName(card)
  const isPaid = dueToday > 0

  const subscribe = () =>
    run(async () => {
      try {
        const secret = await begin()
        setIsAsked(false)
        if (secret !== null)
          return onNotCharged(`${name} was not charged. Enter it again to confirm it with your bank, or use another card.`)
        if (await onConfirmed())
          saySuccess('You are subscribed to Full', isPaid ? `${formatPence(dueToday)} was taken from ${name}.` : 'Nothing was taken today.')
      } catch (error) {
        setIsAsked(false)
        sayError(error, () => void subscribe())
      }
    })

  return (
    <div className="grid gap-5">
      <section aria-labelledby="card-on-file" className="grid gap-3">
        <h4 id="card-on-file" className="font-strong">
          Card on file
        </h4>
        <CardOnFile name={CARD_ON_FILE} card={card} />
        {card.is_expired && <p className="text-danger">This card has expired. Change it, then subscribe.</p>}
      </section>
      <Button disabled={card.is_expired} className="justify-self-start max-md:w-full" onClick={() => setIsAsked(true)}>
        Subscribe
      </Button>
      {isAsked && (
        <ConfirmDialog
          title={sentences.confirmTitle}
          look="primary"
          confirm={isPaid ? `Pay ${formatPence(dueToday)}` : 'Subscribe'}
          cancel="Not now"
          isLoading={isBusy}
          onConfirm={() => void subscribe()}
          onCancel={() => setIsAsked(false)}
        >
          <p>
            {isPaid
              ? `${formatPence(dueToday)} is taken from ${name} now, and Full begins.`
              : `Nothing is taken today, and Full begins. Later payments are taken from ${name}.`}
          </p>
          <StillWaiting className="mt-3" />
        </ConfirmDialog>
      )}
    </div>
  )
}
