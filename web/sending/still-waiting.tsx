import { useIsAskingAgain } from '#web/sending/ask-until-answered.ts'
import { Spinner } from '#web/ui/spinner.tsx'

/** Says that an answer takes longer than usual, as long as it does. */
export function StillWaiting({ className = '' }: { className?: string }) {
  const isAskingAgain = useIsAskingAgain()
  return (
    <div role="status" className={isAskingAgain ? className : 'sr-only'}>
      {isAskingAgain && (
        <p className="flex items-center gap-3">
          <Spinner className="size-5 shrink-0 text-muted" /> Still waiting for an answer…
        </p>
      )}
    </div>
  )
}
