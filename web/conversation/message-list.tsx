import { Fragment, useEffect, useLayoutEffect, useRef, type ReactNode } from 'react'
import type { Message } from '#contract/people/messages.ts'
import { inLondon } from '#domain/format-time.ts'
import { Bubble, OutgoingBubble } from '#web/conversation/bubble.tsx'
import type { Outgoing } from '#web/conversation/outgoing.ts'
import { Button } from '#web/ui/button.tsx'

type Props = {
  /** Oldest first. */
  messages: readonly Message[]
  outgoing: readonly Outgoing[]
  onRetry: (key: string) => void
  onDrop: (key: string) => void
  /** Absent: there is nothing older. */
  onOlder?: (() => void) | undefined
  isLoadingOlder: boolean
  /** What a message that hides contact details says: 'hidden until …'. */
  until: string
  /** What stands between messages, such as an offer, by the number of the message that it follows. */
  between?: ReadonlyMap<number, ReactNode>
  /** What stands there before anybody has written. */
  empty: ReactNode
}

const day = inLondon({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
const dayOf = ({ created_at }: Message) => day.format(new Date(created_at))
// closer to the end than this, the reader follows what comes
const NEAR_END_PX = 80

/** Scrolls by itself: stays at the newest message while the reader is there, and where the reader is when older ones come. */
export function MessageList({ messages, outgoing, onRetry, onDrop, onOlder, isLoadingOlder, until, between, empty }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  const place = useRef({ isAtEnd: true, height: 0, first: 0 })
  const first = messages[0]?.seq ?? 0

  // every time it is drawn: whatever came, at either end, moves the place
  useLayoutEffect(() => {
    const element = frame.current
    if (!element) return
    const { isAtEnd, height, first: before } = place.current
    if (isAtEnd) element.scrollTop = element.scrollHeight
    else if (before > first) element.scrollTop += element.scrollHeight - height
    place.current = { ...place.current, height: element.scrollHeight, first }
  })

  // a composer that grows makes the list lower
  useEffect(() => {
    const element = frame.current
    if (!element) return
    const watching = new ResizeObserver(() => {
      if (place.current.isAtEnd) element.scrollTop = element.scrollHeight
    })
    watching.observe(element)
    return () => watching.disconnect()
  }, [])

  const onScroll = () => {
    const element = frame.current
    if (!element) return
    place.current.isAtEnd = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_END_PX
    place.current.height = element.scrollHeight
  }

  return (
    <div
      ref={frame}
      onScroll={onScroll}
      // a photo that has loaded makes the list higher
      onLoadCapture={() => {
        if (place.current.isAtEnd && frame.current) frame.current.scrollTop = frame.current.scrollHeight
      }}
      role="log"
      aria-label="Messages"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- people without a mouse scroll it by the arrow keys
      tabIndex={0}
      className="min-h-0 overflow-x-clip overflow-y-auto overscroll-contain py-4 [overflow-anchor:none] -outline-offset-2"
    >
      {messages.length + outgoing.length === 0 ? (
        empty
      ) : (
        <div className="grid grid-cols-1 content-end gap-2 px-1">
          {onOlder && (
            <Button kind="quiet" onClick={onOlder} isLoading={isLoadingOlder} className="justify-self-center">
              Show older messages
            </Button>
          )}
          {messages.map((message, nth) => {
            const before = messages[nth - 1]
            return (
              <Fragment key={message.id}>
                {(!before || dayOf(before) !== dayOf(message)) && <p className="py-2 text-center text-12 text-muted">{dayOf(message)}</p>}
                <Bubble message={message} until={until} />
                {between?.get(message.seq)}
              </Fragment>
            )
          })}
          {outgoing.map((each) => (
            <OutgoingBubble key={each.key} outgoing={each} onRetry={() => onRetry(each.key)} onDrop={() => onDrop(each.key)} />
          ))}
        </div>
      )}
    </div>
  )
}
