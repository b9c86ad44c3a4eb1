import { Check, CheckCheck, CircleAlert, Clock, EyeOff } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Message } from '#contract/people/messages.ts'
import { inLondon } from '#domain/format-time.ts'
import type { Outgoing } from '#web/conversation/outgoing.ts'

const clock = inLondon({ hour: '2-digit', minute: '2-digit' })

type Props = {
  message: Message
  /** Ends 'are hidden until …'. */
  until: string
}

export function Bubble({ message: { body, mine, attachments, created_at, read_at, is_masked }, until }: Props) {
  const Mark = read_at ? CheckCheck : Check
  return (
    <Frame isMine={mine} body={body} photos={<Photos photos={attachments} />}>
      {mine && is_masked && (
        <span className="flex items-start gap-1">
          <EyeOff className="mt-0.5 size-3 shrink-0" aria-hidden="true" />
          Contact details are hidden until {until}
        </span>
      )}
      <span className="flex items-center justify-end gap-1 whitespace-nowrap">
        <time dateTime={created_at}>{clock.format(new Date(created_at))}</time>
        {mine && <Mark className="size-4" role="img" aria-label={read_at ? 'Read' : 'Sent'} />}
      </span>
    </Frame>
  )
}

type OutgoingProps = { outgoing: Outgoing; onRetry: () => void; onDrop: () => void }

export function OutgoingBubble({ outgoing: { body, photos, problem }, onRetry, onDrop }: OutgoingProps) {
  return (
    <Frame isMine body={body} photos={<Photos photos={photos} />} isFaint>
      {problem === null ? (
        <span className="flex items-center justify-end gap-1">
          <Clock className="size-3" aria-hidden="true" />
          Sending…
        </span>
      ) : (
        <span role="alert" className="grid gap-1 text-danger">
          <span className="flex items-start gap-1">
            <CircleAlert className="mt-0.5 size-3 shrink-0" aria-hidden="true" />
            <span className="wrap-anywhere">Not sent. {problem}</span>
          </span>
          <span className="flex flex-wrap justify-end gap-x-4">
            <button type="button" onClick={onRetry} className="min-h-11 font-strong underline">
              Try again
            </button>
            <button type="button" onClick={onDrop} className="min-h-11 font-strong underline">
              Delete
            </button>
          </span>
        </span>
      )}
    </Frame>
  )
}

type FrameProps = { isMine: boolean; isFaint?: boolean; body: string; photos: ReactNode; children: ReactNode }

/**
 * Text of somebody else's: isolated, so that its direction turns nothing around it, broken anywhere, and cut off at the edge, which
 * stacked marks would otherwise cross.
 */
function Frame({ isMine, isFaint = false, body, photos, children }: FrameProps) {
  const look = isMine ? 'justify-self-end bg-primary-soft' : 'justify-self-start border border-line bg-surface'
  return (
    <div
      className={`grid max-w-[min(85%,36rem)] min-w-24 grid-cols-1 gap-1 overflow-clip rounded-base px-3 py-2 ${look} ${isFaint ? 'opacity-80' : ''}`}
    >
      <span className="sr-only">{isMine ? 'You: ' : 'They: '}</span>
      {body && (
        <p dir="auto" className="text-16 leading-6 wrap-anywhere whitespace-pre-wrap isolate [unicode-bidi:isolate]">
          {body}
        </p>
      )}
      {photos}
      <div className="text-12 text-muted">{children}</div>
    </div>
  )
}

function Photos({ photos }: { photos: Message['attachments'] }) {
  if (photos.length === 0) return null
  return (
    <ul className={`grid gap-1 ${photos.length > 1 ? 'grid-cols-2' : ''}`}>
      {photos.map(({ id, media, thumbnails, thumbnail_url }, nth) => (
        <li key={id}>
          <a
            href={media.url}
            target="_blank"
            rel="noopener"
            aria-label={`Photo ${nth + 1} of ${photos.length}, opens in a new tab`}
            className="block overflow-hidden rounded-base bg-sunken"
          >
            <img
              src={thumbnails['640'] ?? thumbnail_url ?? media.url}
              alt=""
              decoding="async"
              className="aspect-4/3 w-64 max-w-full object-cover"
            />
          </a>
        </li>
      ))}
    </ul>
  )
}
