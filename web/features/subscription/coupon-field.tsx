import { useState, type SyntheticEvent } from 'react'
import { call } from '#web/api/api.ts'
import type { AppliedCoupon } from '#web/features/subscription/offer.ts'
import { useOneAtATime } from '#web/sending/one-at-a-time.ts'
import { Button } from '#web/ui/button.tsx'
import { controlLook, Field, useFieldIds } from '#web/ui/fields/field.tsx'

const CODE_MAX = 50

type Judgement = { applied: AppliedCoupon } | { problem: string }

/** SPEC §5: the server judges a coupon; an invalid one, or no answer, is not valid. */
export async function judgeCoupon(code: string): Promise<Judgement> {
  try {
    const { data } = await call('POST /api/v1/stripe/subscription/coupons/validate', { body: { code } })
    const { duration, first_payment } = data
    return data.valid && duration && first_payment ? { applied: { ...data, duration, first_payment } } : { problem: data.says }
  } catch {
    return { problem: 'This code could not be checked. Try again in a moment.' }
  }
}

type Props = { applied: AppliedCoupon | null; onApply: (coupon: AppliedCoupon | null) => void }

export function CouponField({ applied, onApply }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const [problem, setProblem] = useState<string>()
  const { id, control } = useFieldIds({ help: undefined, error: problem })
  const { isBusy, run } = useOneAtATime()

  const apply = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    const given = new FormData(event.currentTarget).get('coupon_code')
    void run(async () => {
      setProblem(undefined)
      const typed = typeof given === 'string' ? given.trim() : ''
      if (!typed) return setProblem('Enter a code')
      const judged = await judgeCoupon(typed)
      if ('applied' in judged) onApply(judged.applied)
      else setProblem(judged.problem)
    })
  }

  if (applied)
    return (
      <p role="status" className="flex items-center justify-between gap-x-4">
        <span>
          Coupon <strong>{applied.code}</strong>: <span className="text-success">{applied.says}</span>
        </span>
        <Button kind="quiet" className="-mr-4" onClick={() => onApply(null)}>
          Remove
        </Button>
      </p>
    )
  if (!isOpen)
    return (
      <button type="button" className="link min-h-11 justify-self-start" onClick={() => setIsOpen(true)}>
        Add a coupon
      </button>
    )
  return (
    <form noValidate onSubmit={apply} aria-label="Coupon">
      <Field id={id} label="Coupon code" error={problem}>
        <div className="flex gap-3">
          <input
            type="text"
            name="coupon_code"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={CODE_MAX}
            className={controlLook}
            {...control}
          />
          <Button type="submit" kind="plain" isLoading={isBusy}>
            Apply
          </Button>
        </div>
      </Field>
    </form>
  )
}
