import { ArrowLeft, Check } from 'lucide-react'
import { onboardingStages } from '#contract/values/onboarding-stages.ts'
import type { StageState } from '#web/features/onboarding/stage-states.ts'

type Props = { states: readonly StageState[]; onGo: (stage: number) => void; isMoving: boolean }

const abouts = [
  'What you do, where your yards are.',
  'A Stripe account for what you sell and buy.',
  'How Yardbid will benefit you.',
  'Full by the month, or what costs nothing.',
  'Only if you buy on the platform.',
]

// of one that lies behind without being done
const leftOpen = ['Still to do.', 'Still to do.', '', 'No subscription so far.', 'Open it again.']

const names: Record<StageState, string> = { now: 'font-strong', done: '', passed: '', ahead: 'text-on-steel-muted' }

/** On the plate of steel beside the stage: where one is, and the way back to what lies behind. */
export function StagePlate({ states, onGo, isMoving }: Props) {
  return (
    <ol aria-label="Stages" className="border-b border-steel-line">
      {onboardingStages.map((name, stage) => {
        const state = states[stage] ?? 'ahead'
        const row = (
          <>
            <Disc stage={stage} state={state} />
            <span>
              <span className={`block text-16 ${names[state]}`}>{name}</span>
              <span className="block text-on-steel-muted">{(state === 'passed' ? leftOpen : abouts)[stage]}</span>
            </span>
          </>
        )
        const look = 'grid w-full grid-cols-[2.75rem_1fr] items-start py-4 text-left'
        return (
          <li key={name} aria-current={state === 'now' ? 'step' : undefined} className="border-t border-steel-line">
            {state === 'done' || state === 'passed' ? (
              <button type="button" disabled={isMoving} onClick={() => onGo(stage)} className={`${look} hover:bg-on-steel/5`}>
                {row}
              </button>
            ) : (
              <div className={look}>{row}</div>
            )}
          </li>
        )
      })}
    </ol>
  )
}

const discs: Record<StageState, string> = {
  done: 'bg-on-steel-copper text-steel',
  passed: 'border border-on-steel-muted border-dashed text-on-steel',
  now: 'border-2 border-on-steel-copper text-on-steel-copper',
  ahead: 'border border-steel-line text-on-steel-muted',
}

function Disc({ stage, state }: { stage: number; state: StageState }) {
  return (
    <span className={`tabular grid size-7 place-items-center rounded-full text-16 ${discs[state]}`}>
      {state === 'done' ? (
        <Check className="size-4" strokeWidth={3} aria-label="Done" role="img" />
      ) : (
        <span aria-hidden="true">{stage + 1}</span>
      )}
    </span>
  )
}

type BarProps = { says: string; states: readonly StageState[]; back: { to: string; go: () => void } | undefined; isMoving: boolean }

const bars: Record<StageState, string> = { done: 'bg-success', passed: 'bg-control', now: 'bg-copper', ahead: 'bg-line' }
const words: Record<StageState, string> = { done: 'done', passed: 'passed', now: 'now', ahead: 'to come' }

/** Above the heading: the way back, and on a narrow screen how far one is. */
export function StageBar({ says, states, back, isMoving }: BarProps) {
  return (
    <div className="mb-3 grid gap-2 lg:mb-0">
      <div className="flex min-h-11 items-center gap-1">
        {back && (
          <button
            type="button"
            aria-label={`Back to ${back.to}`}
            disabled={isMoving}
            onClick={back.go}
            className="-ml-3 grid size-11 place-items-center rounded-base text-muted hover:bg-sunken hover:text-ink"
          >
            <ArrowLeft className="size-5" aria-hidden="true" />
          </button>
        )}
        <p className="text-muted">{says}</p>
      </div>
      <ol aria-label="Stages" className="grid grid-cols-5 gap-1 lg:hidden">
        {onboardingStages.map((name, stage) => {
          const state = states[stage] ?? 'ahead'
          return (
            <li key={name} aria-current={state === 'now' ? 'step' : undefined}>
              <span className={`block h-1.5 rounded-full ${bars[state]}`} aria-hidden="true" />
              <span className="sr-only">
                {name}, {words[state]}
              </span>
            </li>
          )
        })}
      </ol>
    </div>
  )
}
