import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useConfig } from '#web/api/config.ts'
import { sayError } from '#web/api/notices.ts'
import { useUser } from '#web/api/session.ts'
import { readPushState, turnPushOff, turnPushOn, type PushState } from '#web/features/notifications/push.ts'
import { PlaceLink } from '#web/navigation/place-link.tsx'
import { useOneAtATime } from '#web/sending/one-at-a-time.ts'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

const appLink = (
  <PlaceLink to="download" className="link">
    Get the app
  </PlaceLink>
)

const words: Record<PushState, ReactNode> = {
  on: 'Push is on in this browser. What you ticked under Push arrives here, also while Yardbid is closed.',
  off: 'Push is off in this browser. Turned on, what you tick under Push arrives here, also while Yardbid is closed.',
  blocked:
    'This browser blocks notifications from Yardbid. Allow them in its settings for this site, next to the address, then load this page again.',
  only_installed: <>iPhones and iPads push only to the installed app. Put Yardbid on your home screen and turn push on there: {appLink}.</>,
  insecure: 'Push needs a secure connection. Open Yardbid at an address that begins with https.',
  unsupported: 'This browser knows no push messages. Another one, such as Chrome, Edge or Firefox, does.',
}

/** Push is each browser's own: what it says of itself, and the way to turn it on or off here. */
export function PushHere() {
  const user = useUser()
  const publicKey = useConfig()?.push_public_key
  const { data: state, refetch } = useQuery({ queryKey: ['push-state'], queryFn: readPushState, staleTime: 0, gcTime: 0 })
  const { isBusy, run } = useOneAtATime()
  if (!state || !user) return <Skeleton className="h-16 w-full" />

  const change = () =>
    run(async () => {
      try {
        if (state === 'on') await turnPushOff()
        else if (publicKey) await turnPushOn(user.id, publicKey)
      } catch (error) {
        sayError(error, undefined, 'Push could not be turned on')
      } finally {
        await refetch()
      }
    })
  return (
    <div className="grid justify-items-start gap-3" aria-live="polite">
      <p>{words[state]}</p>
      {(state === 'on' || (state === 'off' && publicKey)) && (
        <Button kind="plain" onClick={() => void change()} isLoading={isBusy}>
          {state === 'on' ? 'Turn push off here' : 'Turn push on here'}
        </Button>
      )}
      {state !== 'only_installed' && <p className="text-muted">On an iPhone or iPad, push reaches only the installed app: {appLink}.</p>}
    </div>
  )
}
