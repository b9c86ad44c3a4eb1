import { CircleAlert, CircleCheck, Clock, RefreshCw, Trash2, type LucideIcon } from 'lucide-react'
import type { MerchantDocument } from '#contract/documents.ts'
import { documentKinds } from '#contract/values/document-kinds.ts'
import { statusWords } from '#web/features/documents/document-words.ts'
import { Picker } from '#web/features/documents/picker.tsx'
import { Preview } from '#web/features/documents/preview.tsx'
import { Button } from '#web/ui/button.tsx'
import { ACCEPTED } from '#web/upload/document-field.tsx'

type Props = {
  document: MerchantDocument
  serverTime: string
  /** Of the file that takes its place, 0 to 1. */
  progress: number | undefined
  isBusy: boolean
  onReplace: (file: File) => void
  onRemove: () => void
}

const looks: Record<ReturnType<typeof statusWords>['look'], { icon: LucideIcon; colour: string }> = {
  success: { icon: CircleCheck, colour: 'text-success' },
  warning: { icon: Clock, colour: 'text-warning' },
  danger: { icon: CircleAlert, colour: 'text-danger' },
}

export function SavedDocument({ document, serverTime, progress, isBusy, onReplace, onRemove }: Props) {
  const { kind, number, council, file } = document
  const { look, says } = statusWords(document, serverTime)
  const { icon: Icon, colour } = looks[look]
  const details = [number, council].filter(Boolean).join(' · ')
  return (
    <li className="grid gap-3 border-t border-line py-4 first:border-t-0 first:pt-0 last:pb-0">
      <div className="flex items-start gap-3">
        <Preview preview={file?.thumbnail_url ?? null} fileName={file?.file_name ?? null} />
        <div className="grid min-w-0 flex-1 gap-1">
          <p className="text-16 font-strong">{documentKinds[kind]}</p>
          {details && <p className="wrap-anywhere text-muted">{details}</p>}
          {file ? (
            <a href={file.media.url} target="_blank" rel="noreferrer" className="link truncate">
              {file.file_name}
            </a>
          ) : (
            <p className="text-muted">On record with us</p>
          )}
          <p className={`flex items-start gap-2 font-strong ${colour}`}>
            <Icon className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
            <span className="wrap-anywhere">{says}</span>
          </p>
        </div>
      </div>
      {progress !== undefined && (
        <progress
          aria-label={`Replacing ${file?.file_name}`}
          value={progress}
          className="h-1 w-full appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-primary-fill [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-primary-fill"
        />
      )}
      {file && (
        <div className="flex flex-wrap gap-3 md:pl-[5.75rem]">
          <Picker
            icon={RefreshCw}
            label="Replace"
            aria-label={`Replace ${file.file_name}`}
            accept={ACCEPTED}
            disabled={isBusy}
            onPick={([picked]) => picked && onReplace(picked)}
          />
          <Button kind="quiet" disabled={isBusy} aria-label={`Remove ${file.file_name}`} onClick={onRemove}>
            <Trash2 className="size-4" aria-hidden="true" /> Remove
          </Button>
        </div>
      )}
    </li>
  )
}
