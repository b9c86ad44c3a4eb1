import { ExternalLink } from 'lucide-react'
import { useId, useState } from 'react'
import { messageOf } from '#web/api/api-error.ts'
import { goToProvider, type ProviderPage } from '#web/features/payments/provider-link.ts'
import { useOneAtATime } from '#web/sending/one-at-a-time.ts'
import { Button, type ButtonKind } from '#web/ui/button.tsx'
import { FieldError } from '#web/ui/fields/field.tsx'

type Props = { to?: ProviderPage; kind?: ButtonKind; label?: string; className?: string }

/** Asks for a link to the provider's own pages and follows it. A provider that does not answer is said here, and can be asked again. */
export function ContinueToProvider({ to = 'account', kind = 'primary', label = 'Continue to Stripe', className = '' }: Props) {
  const id = useId()
  const [problem, setProblem] = useState<string>()
  const { isBusy, run, rest } = useOneAtATime()

  const go = () =>
    run(async () => {
      setProblem(undefined)
      try {
        await goToProvider(to, rest)
        return 'left'
      } catch (error) {
        setProblem(messageOf(error))
      }
    })

  return (
    <div className={`grid gap-2 ${className}`}>
      {/* a link in what it does: it leads to a page, whose address the server must make first */}
      <Button kind={kind} role="link" isLoading={isBusy} onClick={() => void go()} aria-describedby={problem && id}>
        {label}
        <ExternalLink className="size-4" aria-hidden="true" />
      </Button>
      <FieldError id={id} error={problem} />
    </div>
  )
}
