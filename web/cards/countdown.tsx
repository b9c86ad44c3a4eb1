import { Clock } from 'lucide-react'
import { countdown, urgency } from '#domain/listings/countdown.ts'
import { useTimeLeftMs } from '#web/api/server-clock.ts'

const looks = { red: 'text-danger font-strong', amber: 'text-warning font-strong', calm: 'text-ink' } as const

/** Amber under an hour, red under five minutes. */
export function Countdown({ expires_at, className = 'text-16' }: { expires_at: string; className?: string }) {
  const leftMs = useTimeLeftMs(expires_at)
  const isOver = leftMs <= 0
  return (
    <span
      className={`tabular inline-flex items-center gap-1 whitespace-nowrap ${isOver ? 'text-muted' : looks[urgency(leftMs) ?? 'calm']} ${className}`}
    >
      <Clock className="size-4 shrink-0 @max-md:hidden" aria-hidden="true" />
      {!isOver && <span className="sr-only">Ends in </span>}
      {isOver ? 'Ended' : countdown(leftMs)}
    </span>
  )
}
