import { ChevronLeft, ChevronRight, Film, X, type LucideIcon } from 'lucide-react'
import type { Upload } from '#web/upload/use-uploads.ts'

type Props = { upload: Upload; nth: number; count: number; onRemove: () => void; onMove: (by: -1 | 1) => void }

/** One file: what it shows, how far it has come, its place among the others, and the way to take it out again. */
export function MediaTile({ upload, nth, count, onRemove, onMove }: Props) {
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
      {!item && (
        <progress
          aria-label={`Uploading ${file_name}`}
          value={progress}
          className="absolute inset-x-2 bottom-2 h-2 w-auto appearance-none overflow-hidden rounded-full bg-surface [&::-moz-progress-bar]:bg-primary-fill [&::-webkit-progress-bar]:bg-surface [&::-webkit-progress-value]:bg-primary-fill"
        />
      )}
      {item && (nth === 0 || !isImage) && (
        <span className="absolute top-0 left-0 flex min-h-7 items-center gap-1 rounded-br-base bg-surface px-2 text-12 font-strong">
          {!isImage && <Film className="size-4" aria-label="Video" role="img" />}
          {nth === 0 && 'Cover'}
        </span>
      )}
      <Round icon={X} label={`Remove ${file_name}`} className="top-0 right-0" onPress={onRemove} />
      {item && count > 1 && (
        <>
          <Round
            icon={ChevronLeft}
            label={`Move ${file_name} earlier`}
            className="bottom-0 left-0"
            isOff={nth === 0}
            onPress={() => onMove(-1)}
          />
          <Round
            icon={ChevronRight}
            label={`Move ${file_name} later`}
            className="right-0 bottom-0"
            isOff={nth === count - 1}
            onPress={() => onMove(1)}
          />
        </>
      )}
    </li>
  )
}

type RoundProps = { icon: LucideIcon; label: string; className: string; isOff?: boolean; onPress: () => void }

/** At either end it does nothing and stays where it is: whoever moves a photo by keyboard keeps the focus. */
function Round({ icon: Icon, label, className, isOff = false, onPress }: RoundProps) {
  return (
    <button
      type="button"
      aria-label={label}
      aria-disabled={isOff || undefined}
      onClick={({ currentTarget }) => {
        if (isOff) return
        onPress()
        // a tile that changes its place in the page loses the focus
        requestAnimationFrame(() => currentTarget.focus())
      }}
      className={`absolute grid size-11 place-items-center -outline-offset-2 aria-disabled:opacity-40 ${className}`}
    >
      <span className="grid size-7 place-items-center rounded-full border border-line bg-surface text-ink">
        <Icon className="size-4" aria-hidden="true" />
      </span>
    </button>
  )
}
