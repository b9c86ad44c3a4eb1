import { Film, X } from 'lucide-react'
import type { Upload } from '#web/upload/use-uploads.ts'

/** One file: what it shows, how far it has come, and the way to take it out again. */
export function MediaTile({ upload, isFirst, onRemove }: { upload: Upload; isFirst: boolean; onRemove: () => void }) {
  const { file_name, isImage, preview, progress, item } = upload
  return (
    <li className="relative grid aspect-4/3 overflow-hidden rounded-base border border-line bg-sunken">
      {preview ? (
        <img src={preview} alt={file_name} className={`absolute inset-0 size-full object-cover ${item ? '' : 'opacity-50'}`} />
      ) : (
        <div className="grid min-w-0 content-center justify-items-center gap-1 p-3 text-muted">
          <Film className="size-8" strokeWidth={1.5} aria-hidden="true" />
          <span className="max-w-full truncate text-12">{file_name}</span>
        </div>
      )}
      {item && !isImage && (
        <span className="absolute right-0 bottom-0 grid size-7 place-items-center rounded-tl-base bg-surface">
          <Film className="size-4" aria-label="Video" role="img" />
        </span>
      )}
      {!item && (
        <progress
          aria-label={`Uploading ${file_name}`}
          value={progress}
          className="absolute inset-x-2 bottom-2 h-2 w-auto appearance-none overflow-hidden rounded-full bg-surface [&::-moz-progress-bar]:bg-primary-fill [&::-webkit-progress-bar]:bg-surface [&::-webkit-progress-value]:bg-primary-fill"
        />
      )}
      {item && isFirst && (
        <span className="absolute bottom-0 left-0 rounded-tr-base bg-surface px-2 py-1 text-12 font-strong">First in the list</span>
      )}
      <button
        type="button"
        aria-label={`Remove ${file_name}`}
        onClick={onRemove}
        className="absolute top-0 right-0 grid size-11 place-items-center -outline-offset-2"
      >
        <span className="grid size-7 place-items-center rounded-full border border-line bg-surface text-ink">
          <X className="size-4" aria-hidden="true" />
        </span>
      </button>
    </li>
  )
}
