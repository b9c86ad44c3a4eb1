import { Button } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'
import { useUser } from '#web/session.ts'

/** The subscription: whether there is one. */
export function Subscribe({ onDone, onSkip }: { onDone: () => void; onSkip: () => void }) {
  const isFull = useUser()?.subscription.tier === 'full'
  return (
    <div className="grid justify-items-start gap-4">
      <Callout title={isFull ? 'You have the full subscription' : 'The card form opens soon'}>
        <p>{isFull ? 'There is nothing to pay here.' : 'Go on without a subscription; nothing is taken from you.'}</p>
      </Callout>
      {isFull ? <Button onClick={onDone}>Continue</Button> : <Button onClick={onSkip}>Skip</Button>}
    </div>
  )
}
