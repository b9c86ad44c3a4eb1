import { useState, type ReactNode } from 'react'
import type { AvailableAction } from '#contract/listings.ts'
import type { Listing } from '#contract/listings.ts'
import { ActionForm } from '#web/features/sales/actions/action-form.tsx'
import { draftName } from '#web/features/sales/actions/action-values.ts'
import { meaningOf, wordsOf } from '#web/features/sales/actions/action-words.ts'
import { Confirm } from '#web/features/sales/actions/confirm.tsx'
import { useAction, type ActionProps } from '#web/features/sales/actions/use-action.ts'
import { inOrder, isDestructive, nextAction } from '#web/listing/action-order.ts'
import { hasDraft } from '#web/sending/draft.ts'
import { Button } from '#web/ui/button.tsx'

type Props = Pick<ActionProps, 'onDone' | 'onRefused'> & {
  listing: Listing
  actions: readonly AvailableAction[]
  /** The first of them is what is waited for. */
  isMyTurn: boolean
  /** What can be done elsewhere, such as editing. */
  children?: ReactNode
}

/** One next action, big; the others quieter. Loaded only by those who can do something. */
export default function Actions({ listing, actions, isMyTurn, onDone, onRefused, children }: Props) {
  const [chosen, setChosen] = useState<AvailableAction | undefined>(() => begunAction(listing, actions))
  // beside an open form nothing else is big
  const next = isMyTurn && !chosen?.fields.length ? nextAction(actions) : undefined
  const others = inOrder(actions).filter(({ action }) => action !== next?.action && action !== chosen?.action)
  const props = { listing, onDone, onRefused, onClose: () => setChosen(undefined) }
  return (
    <div className="grid gap-4 empty:hidden">
      {next && (
        <Button className="min-h-13 w-full text-16" onClick={() => setChosen(next)}>
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
        {others.map((action) => (
          <Button key={action.action} kind={isDestructive(action) ? 'quiet' : 'plain'} onClick={() => setChosen(action)}>
            {action.label}
          </Button>
        ))}
      </div>
    </div>
  )
}

/** The form that was open when the page was loaded again. */
const begunAction = (listing: Listing, actions: readonly AvailableAction[]) =>
  actions.find(({ action, fields }) => fields.length > 0 && hasDraft(draftName(listing, action)))

/** Nothing to fill in: said, confirmed, done. */
function PlainAction(props: ActionProps) {
  const { listing, action, onClose } = props
  const { send, isSending, refusal } = useAction(props)
  const words = wordsOf(action.action, action.label)
  return (
    <Confirm
      {...{ isSending, refusal }}
      label={action.label}
      kind={isDestructive(action) ? 'danger' : 'primary'}
      meaning={meaningOf(words, listing)}
      onConfirm={() => void send({})}
      onCancel={onClose}
    />
  )
}
