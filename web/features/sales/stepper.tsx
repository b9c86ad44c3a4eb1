import { Check, CornerDownRight } from 'lucide-react'
import type { Listing } from '#contract/listings.ts'
import { detourOf, stagesOf, type Detour } from '#web/features/sales/stages.ts'

/** How far the sale has come, and the way round that it takes. */
export function Stepper({ listing }: { listing: Listing }) {
  const stages = stagesOf(listing)
  if (!stages) return null
  const detour = detourOf(listing)
  return (
    <div className="grid gap-3">
      <ol aria-label="The sale, step by step" className="grid grid-cols-6">
        {stages.names.map((name, nth) => (
          <Stage key={name} {...{ name, nth }} done={stages.done} isStopped={detour?.look === 'danger'} />
        ))}
      </ol>
      {detour && <Branch detour={detour} />}
    </div>
  )
}

function Stage({ name, nth, done, isStopped }: { name: string; nth: number; done: number; isStopped: boolean }) {
  const isDone = nth < done
  const isNext = nth === done
  const next = isStopped ? 'border-2 border-danger bg-surface' : 'border-2 border-copper bg-surface'
  const disc = isDone ? 'bg-success text-surface' : isNext ? next : 'border border-control bg-surface'
  return (
    <li
      aria-current={isNext ? 'step' : undefined}
      className={`tabular relative grid justify-items-center gap-1 text-12 sm:text-14 ${isNext ? 'font-strong' : isDone ? '' : 'text-muted'}`}
    >
      {nth > 0 && (
        <span className={`absolute top-2.5 right-1/2 h-0.5 w-full ${isDone || isNext ? 'bg-success' : 'bg-line'}`} aria-hidden="true" />
      )}
      <span className={`relative z-10 grid size-5 place-items-center rounded-full ${disc}`} aria-hidden="true">
        {isDone && <Check className="size-3" strokeWidth={4} />}
      </span>
      {name}
      <span className="sr-only">{isDone ? ', done' : isNext ? ', next' : ', to come'}</span>
    </li>
  )
}

const looks: Record<Detour['look'], { frame: string; now: string }> = {
  warning: { frame: 'bg-warning-soft', now: 'text-warning' },
  danger: { frame: 'bg-danger-soft', now: 'text-danger' },
  success: { frame: 'bg-success-soft', now: 'text-success' },
}

function Branch({ detour: { name, steps, at, look } }: { detour: Detour }) {
  const { frame, now } = looks[look]
  return (
    <div className={`flex items-start gap-2 rounded-base px-3 py-2 ${frame}`}>
      <CornerDownRight className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
      <p className="font-strong">{name}</p>
      <ol aria-label={`${name}, step by step`} className="flex flex-wrap gap-x-2">
        {steps.map((step, nth) => (
          <li
            key={step}
            aria-current={nth === at ? 'step' : undefined}
            className={`flex items-center gap-2 ${nth === at ? `font-strong ${now}` : nth > at ? 'text-muted' : ''}`}
          >
            {nth < at && <Check className="size-3.5 text-success" strokeWidth={3} aria-hidden="true" />}
            {step}
            {nth < at && <span className="sr-only">, done</span>}
            {nth < steps.length - 1 && <span aria-hidden="true">→</span>}
          </li>
        ))}
      </ol>
    </div>
  )
}
