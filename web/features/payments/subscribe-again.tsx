import { useOnce } from '#web/features/payments/use-once.ts'
import { sayError } from '#web/notices.ts'
import { Button } from '#web/ui/button.tsx'

type Props = { begin: () => Promise<string | null>; onConfirmed: () => Promise<void> }

/** With a card on file nothing has to be confirmed; otherwise what was begun asks for one, and the card form takes this place. */
export function SubscribeAgain({ begin, onConfirmed }: Props) {
  const { isBusy, once } = useOnce()
  const subscribe = () =>
    once(async () => {
      try {
        if ((await begin()) === null) await onConfirmed()
      } catch (error) {
        sayError(error, () => void subscribe())
      }
    })
  return (
    <div className="grid gap-3">
      <p className="text-muted">The card of your last subscription is charged, if it is still saved. If not, you enter one next.</p>
      <Button isLoading={isBusy} className="justify-self-start" onClick={() => void subscribe()}>
        Subscribe
      </Button>
    </div>
  )
}
