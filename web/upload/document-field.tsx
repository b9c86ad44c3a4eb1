import { Camera, FileText, FileUp, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { buttonLook } from '#web/ui/button.tsx'
import { FieldNotes, useFieldIds } from '#web/ui/fields/field.tsx'
import { pickedFiles, type Upload } from '#web/upload/use-uploads.ts'

// SPEC §5, by type and by ending: some systems know only the one. The server has the last word, before a byte is sent.
export const ACCEPTED =
  'image/jpeg,image/png,application/pdf,application/vnd.openxmlformats-officedocument.wordprocessingml.document,.jpeg,.jpg,.png,.pdf,.docx'

type Props = {
  name: string
  label: ReactNode
  help?: string | undefined
  error?: string | undefined
  uploads: readonly Upload[]
  most: number
  /** Often photographed on the spot: a phone offers its camera, and each photo is shown. */
  isPhotographed?: boolean
  onAdd: (files: readonly File[]) => void
  onRemove: (upload: Upload) => void
}

/** Papers: each with its name, how far it has come, and the way to take it out again. */
export function DocumentField({
  name,
  label,
  help = 'PDF, Word (DOCX), JPEG or PNG',
  error,
  uploads,
  most,
  isPhotographed = false,
  onAdd,
  onRemove,
}: Props) {
  const { id, control } = useFieldIds({ help, error })
  return (
    <div className="grid gap-2">
      <p className="font-strong" id={`${id}-label`}>
        {label}
      </p>
      {uploads.length > 0 && (
        <ul aria-labelledby={`${id}-label`} className="rounded-base border border-line bg-surface">
          {uploads.map((upload) => (
            <FileRow key={upload.key} upload={upload} onRemove={() => onRemove(upload)} />
          ))}
        </ul>
      )}
      <div hidden={uploads.length >= most} className="flex flex-wrap gap-2 [&[hidden]]:hidden">
        {isPhotographed && hasTouch && (
          <label className={pickerLook}>
            <input
              type="file"
              className="sr-only"
              accept="image/jpeg,image/png"
              capture="environment"
              onChange={pickedFiles(onAdd)}
              aria-labelledby={`${id}-label ${id}-camera`}
            />
            <Camera className="size-5" strokeWidth={1.75} aria-hidden="true" />
            <span id={`${id}-camera`}>Take a photo</span>
          </label>
        )}
        <label className={pickerLook}>
          <input
            type="file"
            className="sr-only"
            {...{ name }}
            accept={ACCEPTED}
            multiple={most > 1}
            onChange={pickedFiles(onAdd)}
            {...control}
            aria-labelledby={`${id}-label ${id}-add`}
          />
          <FileUp className="size-5" strokeWidth={1.75} aria-hidden="true" />
          <span id={`${id}-add`}>{most > 1 && uploads.length > 0 ? 'Add another file' : 'Choose a file'}</span>
        </label>
      </div>
      <FieldNotes id={id} help={help} error={error} />
    </div>
  )
}

// a machine without a touch screen has no camera to point at a load
const hasTouch = navigator.maxTouchPoints > 0

const pickerLook = buttonLook(
  'plain',
  'relative flex-1 cursor-pointer has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary has-aria-invalid:border-danger',
)

function FileRow({ upload: { file_name, progress, item, preview }, onRemove }: { upload: Upload; onRemove: () => void }) {
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 border-t border-line pl-3 first:border-t-0">
      {preview ? (
        <img src={preview} alt="" className="my-1 size-9 rounded-base bg-sunken object-cover" />
      ) : (
        <FileText className="size-5 text-muted" strokeWidth={1.75} aria-hidden="true" />
      )}
      <span className="truncate">{file_name}</span>
      <button
        type="button"
        aria-label={`Remove ${file_name}`}
        onClick={onRemove}
        className="grid size-11 place-items-center rounded-base text-muted hover:text-ink"
      >
        <X className="size-4" aria-hidden="true" />
      </button>
      {!item && (
        <progress
          aria-label={`Uploading ${file_name}`}
          value={progress}
          className="col-span-3 mr-3 mb-2 h-1 w-[calc(100%-0.75rem)] appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-primary-fill [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-primary-fill"
        />
      )}
    </li>
  )
}
