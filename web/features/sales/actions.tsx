import { useState, type ReactNode } from 'react'
import type { AvailableAction } from '#contract/listings.ts'
import type { Listing } from '#contract/listings.ts'
import { ActionForm } from '#web/features/sales/action-form.tsx'
import { meaningOf, wordsOf } from '#web/features/sales/action-words.ts'
import { Confirm } from '#web/features/sales/confirm.tsx'
import { useAction, type ActionProps } from '#web/features/sales/use-action.ts'
import { Button } from '#web/ui/button.tsx'

type Props = Pick<ActionProps, 'onDone' | 'onRefused'> & {
  listing: Listing
  /** The first of them is what is waited for. */
  isMyTurn: boolean
  /** What can be done elsewhere, such as editing. */
  children?: ReactNode
}

/** One next action, big; the others quieter. Loaded only by those who can do something. */
export default function Actions({ listing, isMyTurn, onDone, onRefused, children }: Props) {
  const [chosen, setChosen] = useState<AvailableAction>()
  const [next, ...others] = inOrder(listing.available_actions, isMyTurn)
  const props = { listing, onDone, onRefused, onClose: () => setChosen(undefined) }
  return (
    <div className="grid gap-4">
      {next && chosen?.action !== next.action && (
        <Button className="w-full text-16" onClick={() => setChosen(next)}>
          {next.label}
        </Button>
      )}
      {chosen &&
        (chosen.fields.length > 0 ? (
          <ActionForm key={chosen.action} {...props} action={chosen} />
        ) : (
          <PlainAction {...props} action={chosen} />
        ))}
      <div className="flex flex-wrap gap-2 empty:hidden">
        {children}
        {others
          .filter((action): action is AvailableAction => action !== undefined && action.action !== chosen?.action)
          .map((action) => (
            <Button key={action.action} kind="plain" onClick={() => setChosen(action)}>
              {action.label}
            </Button>
          ))}
      </div>
    </div>
  )
}

const isDestructive = ({ action, label }: AvailableAction) => wordsOf(action, label).isDestructive === true

/** What builds comes before what ends. The first is the next one if it is waited for; otherwise there is none. */
function inOrder(actions: readonly AvailableAction[], isMyTurn: boolean): (AvailableAction | undefined)[] {
  const sorted = [...actions.filter((action) => !isDestructive(action)), ...actions.filter(isDestructive)]
  const [first] = sorted
  return isMyTurn && first && !isDestructive(first) ? sorted : [undefined, ...sorted]
}

/** Nothing to fill in: said, confirmed, done. */
function PlainAction(props: ActionProps) {
  const { listing, action, onClose } = props
  const { send, isSending, refusal } = useAction(props)
  const words = wordsOf(action.action, action.label)
  return (
    <Confirm
      {...{ isSending, refusal }}
      label={action.label}
      kind={words.isDestructive ? 'danger' : 'primary'}
      meaning={meaningOf(words, listing)}
      onConfirm={() => void send({})}
      onCancel={onClose}
    />
  )
}
