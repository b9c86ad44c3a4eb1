import { formatAppointment, inLondon } from '#domain/format-time.ts'
import { fromLondonMinute, toLondonMinute } from '#domain/london-clock.ts'
import { addDuration } from '#domain/working-days.ts'
import { useConfig } from '#web/api/config.ts'
import { serverNow } from '#web/api/server-clock.ts'
import { controlLook, Field, useFieldIds, type FieldProps } from '#web/ui/fields/field.tsx'

type Props = FieldProps & { name: string; value: string; onValue: (value: string) => void }

const DAY_MS = 86_400_000
const OPENS_AT = '08:00'
const QUARTER_HOUR_S = 900

const weekday = inLondon({ weekday: 'short', day: 'numeric', month: 'short' })
const shortWeekday = inLondon({ weekday: 'short' })

/** A day and a time by London's clock: the phone's own picker, and the next mornings with one tap. */
export function MomentField({ label, help, error, name, value, onValue }: Props) {
  const { id, control } = useFieldIds({ help: true, error })
  const furthest = useConfig()?.appointment_max_ahead
  const now = serverNow()
  const chosen = value ? fromLondonMinute(value) : null
  const says = chosen && !Number.isNaN(chosen.getTime()) ? `${formatAppointment(chosen)}, London time` : (help ?? 'London time')
  return (
    <Field {...{ id, label, error }} help={says}>
      <input
        type="datetime-local"
        name={name}
        step={QUARTER_HOUR_S}
        min={toLondonMinute(now)}
        max={furthest && toLondonMinute(addDuration(now, furthest))}
        value={value}
        onChange={(event) => onValue(event.target.value)}
        className={controlLook}
        {...control}
      />
      <div role="group" aria-label="Soon" className="flex flex-wrap gap-2">
        {nextMornings(now).map((minute) => (
          <button
            key={minute}
            type="button"
            aria-pressed={value === minute}
            onClick={() => onValue(minute)}
            className="min-h-11 rounded-base border border-control px-3 hover:bg-sunken aria-pressed:border-primary aria-pressed:bg-primary-soft aria-pressed:font-strong aria-pressed:text-primary"
          >
            {weekday.format(fromLondonMinute(minute))}, {OPENS_AT}
          </button>
        ))}
      </div>
    </Field>
  )
}

/** The next three days on which a yard is open. */
function nextMornings(now: Date): string[] {
  const days = Array.from({ length: 7 }, (_, nth) => new Date(now.getTime() + (nth + 1) * DAY_MS))
  return days
    .filter((day) => !['Sat', 'Sun'].includes(shortWeekday.format(day)))
    .slice(0, 3)
    .map((day) => `${toLondonMinute(day).slice(0, 'yyyy-mm-dd'.length)}T${OPENS_AT}`)
}
