import { Lock } from 'lucide-react'
import type { ComponentProps } from 'react'
import { notificationChannels, type NotificationChannel } from '#contract/values/notification-kinds.ts'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'

const names: Record<NotificationChannel, string> = { in_app: 'In app', email: 'Email', push: 'Push' }
const columns = 'grid grid-cols-[minmax(0,1fr)_repeat(3,3.25rem)] items-center gap-x-1'

type CheckboxProps = Omit<ComponentProps<typeof Checkbox>, 'label'>
type Props = {
  label: string
  about: string
  locked?: NotificationChannel[] | undefined
  /** The user's plan never tells of it. */
  isForOthers: boolean
  fieldOf: (channel: NotificationChannel) => CheckboxProps
}

/** What it is, and a box for each channel; a channel that cannot be switched off has a lock. */
export function KindRow({ label, about, locked = [], isForOthers, fieldOf }: Props) {
  return (
    <fieldset className="border-t border-line py-2">
      <legend className="sr-only">{label}</legend>
      <div className={columns}>
        <div className="grid py-1 pr-2">
          <p className="font-strong" aria-hidden="true">
            {label}
          </p>
          <p className="text-muted">{about}</p>
          {isForOthers && <p className="text-muted">Comes with the Full plan.</p>}
          {locked.length > 0 && <p className="text-12 text-muted">{lockedWords(locked)}</p>}
        </div>
        {notificationChannels.map((channel) => (
          <div key={channel} className="grid justify-items-center">
            {locked.includes(channel) ? (
              <span className="grid size-11 place-items-center text-muted" title="Always on">
                <Lock className="size-4" aria-hidden="true" />
              </span>
            ) : (
              <Checkbox label={<span className="sr-only">{names[channel]}</span>} {...fieldOf(channel)} />
            )}
          </div>
        ))}
      </div>
    </fieldset>
  )
}

export function ChannelHeads() {
  return (
    <div className={`${columns} pb-2 text-12 text-muted`} aria-hidden="true">
      <span />
      {notificationChannels.map((channel) => (
        <span key={channel} className="text-center">
          {names[channel]}
        </span>
      ))}
    </div>
  )
}

const lockedPlaces: Record<NotificationChannel, string> = { in_app: 'in the app', email: 'by email', push: 'by push' }

/** 'Always in the app and by email.' */
const lockedWords = (locked: readonly NotificationChannel[]) => `Always ${locked.map((channel) => lockedPlaces[channel]).join(' and ')}.`
