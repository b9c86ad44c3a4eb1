import { CircleAlert, CircleCheck, X } from 'lucide-react'

type Props = {
  type: 'success' | 'danger'
  title: string
  body?: string | undefined
  image?: string | undefined
  action?: { label: string; handler: () => void } | undefined
  times?: number | undefined
  /** The whole of it stands elsewhere: a short card does. */
  isKept?: boolean | undefined
  onDismiss: () => void
}

const looks = {
  success: { edge: 'border-l-success', ink: 'text-success', Icon: CircleCheck },
  danger: { edge: 'border-l-danger', ink: 'text-danger', Icon: CircleAlert },
} as const

export function NoticeCard({ type, title, body, image, action, times, isKept, onDismiss }: Props) {
  const { edge, ink, Icon } = looks[type]
  return (
    <div
      className={`pointer-events-auto flex items-start gap-3 rounded-base border border-l-4 border-line bg-surface py-1 pl-3 shadow-lift ${edge}`}
    >
      {image ? (
        <img src={image} alt="" className="mt-3 size-12 shrink-0 rounded-base bg-sunken object-cover" />
      ) : (
        <Icon className={`mt-3 size-5 shrink-0 ${ink}`} aria-hidden="true" />
      )}
      <div className="grid min-w-0 flex-1 gap-1 py-3 wrap-anywhere">
        <p className="font-strong">{title}</p>
        {body && <p className={`text-muted ${isKept ? 'line-clamp-3 max-md:line-clamp-2' : ''}`}>{body}</p>}
        {times !== undefined && <p className="text-12 text-muted">{times} times</p>}
        {action && (
          <button
            type="button"
            className="link -mb-2 min-h-11 justify-self-start font-strong"
            onClick={() => {
              onDismiss()
              action.handler()
            }}
          >
            {action.label}
          </button>
        )}
      </div>
      <button
        type="button"
        aria-label={`Dismiss: ${title}`}
        className="grid size-11 shrink-0 place-items-center rounded-base text-muted hover:text-ink"
        onClick={onDismiss}
      >
        <X className="size-4" aria-hidden="true" />
      </button>
    </div>
  )
}
