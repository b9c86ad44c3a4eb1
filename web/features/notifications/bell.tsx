import { Bell as BellIcon } from 'lucide-react'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { MarkAllRead, NotificationList } from '#web/features/notifications/notification-list.tsx'
import { useUnread } from '#web/features/notifications/queries.ts'
import { PlaceLink } from '#web/navigation/place-link.tsx'
import { useIsWide } from '#web/ui/use-is-wide.ts'

const look = 'relative grid size-11 place-items-center rounded-base text-ink hover:bg-sunken'

/** In the top bar: how many are unread. A wide screen opens the list under it, a phone its own page. */
export default function Bell() {
  const unread = useUnread() ?? 0
  const isWide = useIsWide()
  const name = unread > 0 ? `Notifications, ${unread} unread` : 'Notifications'
  if (isWide) return <BellWithPanel name={name} unread={unread} />
  return (
    <PlaceLink to="notifications" aria-label={name} className={look}>
      <Sign unread={unread} />
    </PlaceLink>
  )
}

function BellWithPanel({ name, unread }: { name: string; unread: number }) {
  const [isOpen, setIsOpen] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const close = () => setIsOpen(false)

  // a click elsewhere closes it
  useEffect(() => {
    if (!isOpen) return
    const onPress = ({ target }: PointerEvent) => {
      if (!place.current?.contains(target as Node)) setIsOpen(false)
    }
    document.addEventListener('pointerdown', onPress)
    return () => document.removeEventListener('pointerdown', onPress)
  }, [isOpen])

  return (
    <div
      ref={place}
      className="relative"
      onKeyDown={({ key }) => {
        if (key !== 'Escape' || !isOpen) return
        close()
        button.current?.focus()
      }}
    >
      <button
        ref={button}
        type="button"
        aria-label={name}
        aria-expanded={isOpen}
        aria-haspopup="dialog"
        className={look}
        onClick={() => setIsOpen(!isOpen)}
      >
        <Sign unread={unread} />
      </button>
      {isOpen && <Panel onClose={close} />}
    </div>
  )
}

function Panel({ onClose }: { onClose: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const href = useLocation({ select: (location) => location.href })
  const openedAt = useRef(href)
  useEffect(() => heading.current?.focus(), [])
  useEffect(() => {
    if (href !== openedAt.current) onClose()
  }, [href, onClose])
  return (
    <div
      role="dialog"
      aria-label="Notifications"
      className="absolute top-full right-0 z-40 mt-2 flex max-h-[min(40rem,calc(100dvh-6rem))] w-104 flex-col rounded-base border border-line bg-surface shadow-lift"
    >
      <div className="flex items-center justify-between gap-3 py-2 pr-2 pl-4">
        <h2 ref={heading} tabIndex={-1} className="tabular text-20">
          Notifications
        </h2>
        <MarkAllRead />
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <NotificationList onOpened={onClose} />
      </div>
      <div className="flex justify-between border-t border-line px-4">
        <PlaceLink to="notifications" className="link inline-flex min-h-11 items-center">
          See all
        </PlaceLink>
        <PlaceLink to="account-notification-preferences" className="link inline-flex min-h-11 items-center">
          Settings
        </PlaceLink>
      </div>
    </div>
  )
}

function Sign({ unread }: { unread: number }) {
  return (
    <>
      <BellIcon className="size-5" strokeWidth={1.75} aria-hidden="true" />
      {unread > 0 && (
        <span
          aria-hidden="true"
          className="tabular absolute top-1 left-1/2 ml-0.5 min-w-4 rounded-full bg-primary-fill px-1 text-center text-12 font-strong text-on-primary"
        >
          {unread > 99 ? '99+' : unread}
        </span>
      )}
    </>
  )
}
