import { EyeOff, ImagePlus, SendHorizontal, X } from 'lucide-react'
import { useId, useState, type KeyboardEvent } from 'react'
import { MESSAGE_MAX, MOST_MESSAGE_PHOTOS } from '#contract/values/limits.ts'
import type { MediaItem } from '#contract/storage.ts'
import { contactNames, findContactDetails, maskContactDetails } from '#contract/values/contact-details.ts'
import { readDraft, saveDraft } from '#web/sending/draft.ts'
import { Button, buttonLook } from '#web/ui/button.tsx'
import { controlLook } from '#web/ui/fields/field.tsx'
import { pickedFiles, useUploads } from '#web/upload/use-uploads.ts'

type Props = {
  /** Names the conversation and whose it is: what was typed is kept under it. */
  name: string
  onSend: (body: string, photos: MediaItem[]) => void
  /** Until when contact details are hidden, such as 'the sale is paid'; null: they are shown. */
  hiddenUntil: string | null
  /** The sender's own last messages: a phone number may be split over several. */
  earlier: readonly string[]
}

type Draft = { body: string; photos: MediaItem[] }

// with a mouse there is a keyboard too: Enter sends; on a phone it begins a new line
const hasKeyboard = window.matchMedia('(pointer: fine)')

export function Composer({ name, onSend, hiddenUntil, earlier }: Props) {
  const id = useId()
  const [draft, setDraft] = useState(() => readDraft<Draft>(name, { body: '', photos: [] }))
  const keep = (changes: Partial<Draft>) =>
    setDraft((before) => {
      const next = { ...before, ...changes }
      saveDraft(name, next)
      return next
    })
  const { uploads, isUnderWay, add, remove, clear } = useUploads({
    initial: draft.photos,
    onItems: (photos) => keep({ photos }),
    most: MOST_MESSAGE_PHOTOS,
  })
  const { body, photos } = draft
  const isTooLong = body.trim().length > MESSAGE_MAX
  const canSend = (body.trim() !== '' || photos.length > 0) && !isUnderWay && !isTooLong
  const hidden = hiddenUntil === null ? undefined : hiddenIn(body, earlier)

  const send = () => {
    if (!canSend) return
    onSend(body.trim(), photos)
    clear()
    keep({ body: '', photos: [] })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || !hasKeyboard.matches) return
    event.preventDefault()
    send()
  }

  return (
    <form
      aria-label="Write a message"
      className="grid gap-2 border-t border-line pt-3"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <div id={`${id}-note`} aria-live="polite" className="grid gap-1 empty:hidden">
        {hidden && (
          <p className="flex items-start gap-2 text-warning">
            <EyeOff className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
            {hidden} hidden until {hiddenUntil}.
          </p>
        )}
        {isTooLong && <p className="text-danger">At most {MESSAGE_MAX.toLocaleString('en-GB')} characters.</p>}
      </div>
      {uploads.length > 0 && (
        <ul aria-label="Photos to send" className="flex gap-2 overflow-x-auto pb-1">
          {uploads.map((upload) => (
            <li key={upload.key} className="relative size-20 shrink-0 overflow-hidden rounded-base border border-line bg-sunken">
              {upload.preview && <img src={upload.preview} alt={upload.file_name} className="size-full object-cover" />}
              {!upload.item && (
                <progress
                  aria-label={`Uploading ${upload.file_name}`}
                  value={upload.progress}
                  className="absolute inset-x-1 bottom-1 h-1 w-auto"
                />
              )}
              <button
                type="button"
                aria-label={`Remove ${upload.file_name}`}
                onClick={() => remove(upload)}
                className="absolute top-0 right-0 grid size-11 place-items-start justify-items-end p-1 -outline-offset-2"
              >
                <span className="grid size-6 place-items-center rounded-full border border-line bg-surface">
                  <X className="size-4" aria-hidden="true" />
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className="flex items-end gap-2">
        <label
          className={buttonLook(
            'quiet',
            'relative w-11 shrink-0 cursor-pointer px-0! has-focus-visible:outline-2 has-focus-visible:outline-primary',
          )}
        >
          <input
            type="file"
            multiple
            accept="image/jpeg,image/png,image/gif,.jpeg,.jpg,.png,.gif"
            aria-label="Add photos"
            className="sr-only"
            onChange={pickedFiles(add)}
          />
          <ImagePlus className="size-5" strokeWidth={1.75} aria-hidden="true" />
        </label>
        <textarea
          aria-label="Message"
          aria-describedby={`${id}-note`}
          aria-invalid={isTooLong || undefined}
          rows={1}
          value={body}
          placeholder="Write a message"
          onChange={({ target }) => keep({ body: target.value })}
          onKeyDown={onKeyDown}
          className={`${controlLook} field-sizing-content max-h-40 min-w-0 flex-1 resize-none py-2`}
        />
        <Button type="submit" aria-label="Send" disabled={!canSend} className="w-11 shrink-0 px-0!">
          <SendHorizontal className="size-5" strokeWidth={1.75} aria-hidden="true" />
        </Button>
      </div>
    </form>
  )
}

/** What of this text the other side would not see: 'The phone number is', 'The email address and the link are'. */
function hiddenIn(body: string, earlier: readonly string[]): string | undefined {
  const kinds = new Set(findContactDetails(body.replaceAll('\n', ' ')).map(({ kind }) => kind))
  // split over messages it is a phone number, most often
  if (kinds.size === 0 && maskContactDetails([...earlier, body]).at(-1) !== body) kinds.add('phone')
  if (kinds.size === 0) return undefined
  const names = [...kinds].map((kind) => contactNames[kind]).join(' and ')
  return `${names.charAt(0).toUpperCase()}${names.slice(1)} ${kinds.size > 1 ? 'are' : 'is'}`
}
