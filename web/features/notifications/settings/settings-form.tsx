import { useWatch } from 'react-hook-form'
import type { NotificationSettings } from '#contract/notifications.ts'
import type { NotificationChannel, NotificationKind } from '#contract/values/notification-kinds.ts'
import { sentences } from '#contract/values/sentences.ts'
import { call } from '#web/api/api.ts'
import { saySuccess } from '#web/api/notices.ts'
import { queryClient } from '#web/api/query-client.ts'
import { refreshUser, useUser } from '#web/api/session.ts'
import { ChannelHeads, KindRow } from '#web/features/notifications/settings/kind-row.tsx'
import { settingsQuery } from '#web/features/notifications/settings/queries.ts'
import { useForm } from '#web/forms/form.ts'
import { Section } from '#web/page/sections.tsx'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'

type Channels = Record<NotificationChannel, boolean>
type Values = {
  kinds: Partial<Record<NotificationKind, Channels>>
  has_quiet_hours: boolean
  quiet_hours: { from: string; to: string }
  digest: boolean
}

const usualNight = { from: '22:00', to: '06:00' }

const valuesOf = ({ kinds, quiet_hours, digest }: NotificationSettings): Values => ({
  kinds: Object.fromEntries(Object.entries(kinds).map(([kind, { in_app, email, push }]) => [kind, { in_app, email, push }])),
  has_quiet_hours: quiet_hours !== null,
  quiet_hours: quiet_hours ?? usualNight,
  digest,
})

/** SPEC §2: /account/notification-preferences. Channels of every kind by group, quiet hours and the digest. */
export function SettingsForm({ settings }: { settings: NotificationSettings }) {
  const user = useUser()
  const { form, field, submit, isSending } = useForm<Values>({
    defaultValues: valuesOf(settings),
    problemOf: (name, message) => ({ name: name === 'quiet_hours' ? 'quiet_hours.to' : name, message }),
    send: async ({ kinds, has_quiet_hours, quiet_hours, digest }) => {
      const body = { kinds, quiet_hours: has_quiet_hours ? quiet_hours : null, digest }
      const { data } = await call('PUT /api/v1/auth/notification-settings', { body })
      queryClient.setQueryData(settingsQuery.queryKey, data)
      form.reset(valuesOf(data))
      saySuccess(sentences.notificationSettingsUpdated)
      // the prompt to complete them has ended
      if (user?.call_to_complete_notification_settings.show) await refreshUser()
    },
  })
  const hasQuietHours = useWatch({ control: form.control, name: 'has_quiet_hours' })
  const rows = Object.entries(settings.kinds) as [NotificationKind, NonNullable<NotificationSettings['kinds'][NotificationKind]>][]
  const groups = [...new Set(rows.map(([, { group }]) => group))]

  return (
    <form noValidate onSubmit={submit} aria-label="Notification settings">
      {groups.map((group) => (
        <Section key={group} title={group}>
          <ChannelHeads />
          {rows
            .filter(([, row]) => row.group === group)
            .map(([kind, row]) => (
              <KindRow
                key={kind}
                {...row}
                isForOthers={kind === 'enquiry_matched' && !user?.permissions.market_get_notifications.enabled}
                fieldOf={(channel) => field(`kinds.${kind}.${channel}`)}
              />
            ))}
        </Section>
      ))}
      <Section title="Quiet hours" about="By London’s clock. Emails and push wait until they end; payments and your subscription do not.">
        <div className="grid gap-4">
          <Checkbox label="Keep quiet at night" {...field('has_quiet_hours')} />
          {hasQuietHours && (
            <div className="grid grid-cols-2 gap-4">
              <TextField label="From" type="time" {...field('quiet_hours.from', { required: 'Enter a time' })} />
              <TextField label="To" type="time" {...field('quiet_hours.to', { required: 'Enter a time' })} />
            </div>
          )}
        </div>
      </Section>
      <Section title="Matches by email" about="New listings and enquiries that match what you look for.">
        <Checkbox
          label="One email a day"
          help="Otherwise the first match comes at once and later ones are collected for an hour."
          {...field('digest')}
        />
      </Section>
      <div className="sticky bottom-0 z-10 -mx-4 border-t border-line bg-ground px-4 py-3 max-md:bottom-[calc(3.75rem+env(safe-area-inset-bottom))] md:-mx-8 md:px-8">
        <Button type="submit" isLoading={isSending} className="max-md:w-full">
          Save settings
        </Button>
      </div>
    </form>
  )
}
