import { useWatch } from 'react-hook-form'
import { durationInWords } from '#domain/duration.ts'
import { inLondon } from '#domain/format-time.ts'
import { fromLondonMinute, toLondonMinute } from '#domain/london-clock.ts'
import { addDuration } from '#domain/working-days.ts'
import { serverNow } from '#web/api/server-clock.ts'
import { CHOSEN_END } from '#web/features/sell/sell-values.ts'
import type { Sell } from '#web/features/sell/use-sell.ts'
import { RadioGroup } from '#web/ui/fields/radio-group.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'

export type EndRules = { listing_durations: readonly number[]; listing_min_duration: string; listing_max_duration: string }

const moment = inLondon({ weekday: 'long', day: 'numeric', month: 'long', hour: '2-digit', minute: '2-digit' })

/** One of the offered durations, or a day and an hour. */
export function EndFields({ form, field, rules }: Pick<Sell, 'form' | 'field'> & { rules: EndRules }) {
  const duration = useWatch({ control: form.control, name: 'duration_days' })
  const options = { ...Object.fromEntries(rules.listing_durations.map((days) => [days, String(days)])), [CHOSEN_END]: 'Date' }
  const { listing_min_duration: least, listing_max_duration: most } = rules
  const soonest = () => addDuration(serverNow(), least)
  const latest = () => addDuration(serverNow(), most)

  /** An end that stands already may come sooner: the server judges it. */
  const problemOf = (chosen: string): true | string => {
    if (form.getValues('duration_days') !== CHOSEN_END) return true
    const end = fromLondonMinute(chosen)
    if (Number.isNaN(end.getTime())) return 'Choose the day and the time'
    if (end > latest()) return `At most ${durationInWords(most)} from now`
    return chosen === form.formState.defaultValues?.ends_at || end >= soonest() || `At least ${durationInWords(least)} from now`
  }
  return (
    <div className="grid gap-3">
      <RadioGroup label="Days it runs" options={options} {...field('duration_days')} />
      {duration === CHOSEN_END ? (
        <TextField
          label="Ends"
          type="datetime-local"
          min={toLondonMinute(soonest())}
          max={toLondonMinute(latest())}
          help={`Between ${durationInWords(least)} and ${durationInWords(most)} from now, London time`}
          {...field('ends_at', { validate: problemOf })}
        />
      ) : (
        <p className="text-muted">{endInWords(duration)}</p>
      )}
    </div>
  )
}

const DAY_MS = 86_400_000

const endInWords = (days: string) => `Ends on ${moment.format(new Date(serverNow().getTime() + Number(days) * DAY_MS))}.`
