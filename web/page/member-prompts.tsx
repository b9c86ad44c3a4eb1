import { useState, type ReactNode } from 'react'
import type { UserLite } from '#contract/account.ts'
import type { Place } from '#contract/values/places.ts'
import { call } from '#web/api/api.ts'
import { sayError } from '#web/api/notices.ts'
import { isWritten, PROMPT_PUT_OFF, updateUser, useUser, write } from '#web/api/session.ts'
import { PlaceLink } from '#web/navigation/place-link.tsx'
import { useOneAtATime } from '#web/sending/one-at-a-time.ts'
import { Button, buttonLook } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'

/** SPEC §3: the calls to complete the notification settings and to set up the market preferences. */
export function MemberPrompts() {
  const user = useUser()
  if (!user) return null
  return (
    <>
      {user.call_to_complete_notification_settings.show && <CompleteSettings user={user} />}
      {user.call_to_setup_market_preferences.show && <SetUpPreferences user={user} />}
    </>
  )
}

function CompleteSettings({ user }: { user: UserLite }) {
  const { isBusy, run } = useOneAtATime()
  const dismiss = () =>
    run(async () => {
      try {
        await call('POST /api/v1/auth/notification-settings/dismiss-call-to-complete')
        updateUser({ ...user, call_to_complete_notification_settings: { show: false } })
      } catch (error) {
        sayError(error, () => void dismiss())
      }
    })
  return (
    <Prompt
      title="Choose how we reach you"
      words="News comes in the app and by email. Choose what, add push to this device, and set quiet hours."
      to="account-notification-preferences"
      action="Choose"
    >
      <Button kind="quiet" onClick={() => void dismiss()} isLoading={isBusy}>
        No thanks
      </Button>
    </Prompt>
  )
}

/** RULES §6: it ends when preferences are saved; 'Later' hides it until the next login. */
function SetUpPreferences({ user }: { user: UserLite }) {
  const [isHidden, setIsHidden] = useState(() => isWritten(PROMPT_PUT_OFF))
  if (isHidden) return null
  const later = () => {
    write(PROMPT_PUT_OFF, true)
    setIsHidden(true)
  }
  return (
    <Prompt
      title="Say what you buy"
      words={
        user.permissions.market_get_notifications.enabled
          ? 'We tell you at once of new enquiries and listings that match your materials and distance.'
          : 'We tell you of new listings that match your materials and distance. News of enquiries comes with the Full plan.'
      }
      to="account-material-preferences"
      action="Choose materials"
    >
      <Button kind="quiet" onClick={later}>
        Later
      </Button>
    </Prompt>
  )
}

type Props = { title: string; words: string; to: Place; action: string; children: ReactNode }

/** Its children dismiss it. */
function Prompt({ title, words, to, action, children }: Props) {
  return (
    <section aria-label={title}>
      <Callout title={title}>
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
          <p className="flex-1 basis-64">{words}</p>
          <div className="flex gap-2">
            <PlaceLink to={to} className={buttonLook('plain')}>
              {action}
            </PlaceLink>
            {children}
          </div>
        </div>
      </Callout>
    </section>
  )
}
