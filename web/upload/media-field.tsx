import { Camera, ImagePlus, type LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { MOST_MEDIA } from '#contract/values/limits.ts'
import { MediaTile } from '#web/upload/media-tile.tsx'
import { buttonLook } from '#web/ui/button.tsx'
import { FieldNotes, useFieldIds } from '#web/ui/fields/field.tsx'
import { pickedFiles, type Upload } from '#web/upload/use-uploads.ts'

// SPEC §5, by type and by ending: some systems know only the one. The server has the last word, before a byte is sent.
const ACCEPTED = 'image/jpeg,image/png,image/gif,video/mp4,video/mpeg,.jpeg,.jpg,.png,.gif,.mp4,.mpeg'
const help = `JPEG, PNG, GIF, MP4 or MPEG, up to ${MOST_MEDIA} files. Buyers see the first one, the cover, in the list.`

type Props = {
  name: string
  uploads: readonly Upload[]
  onAdd: (files: readonly File[]) => void
  onRemove: (upload: Upload) => void
  onMove: (upload: Upload, by: -1 | 1) => void
  error?: string | undefined
}

export function MediaField({ name, uploads, onAdd, onRemove, onMove, error }: Props) {
  const { id, control } = useFieldIds({ help, error })
  return (
    <div className="grid gap-3">
      {uploads.length > 0 && (
        <ul aria-label="Photos and videos" className="grid grid-cols-2 gap-3 md:grid-cols-3">
          {uploads.map((upload, nth) => (
            <MediaTile
              key={upload.key}
              upload={upload}
              nth={nth}
              count={uploads.length}
              onRemove={() => onRemove(upload)}
              onMove={(by) => onMove(upload, by)}
            />
          ))}
        </ul>
      )}
      <div className="flex flex-wrap gap-3">
        <Picker
          icon={ImagePlus}
          label="Add photos or videos"
          name={name}
          multiple
          accept={ACCEPTED}
          onChange={pickedFiles(onAdd)}
          {...control}
        />
        <div className="grid flex-1 md:hidden">
          <Picker icon={Camera} label="Take a photo" accept="image/jpeg,image/png" capture="environment" onChange={pickedFiles(onAdd)} />
        </div>
      </div>
      <FieldNotes id={id} help={help} error={error} />
    </div>
  )
}

function Picker({
  icon: Icon,
  label,
  ...input
}: { icon: LucideIcon; label: string } & Omit<ComponentProps<'input'>, 'type' | 'className'>) {
  return (
    <label
      className={buttonLook(
        'plain',
        'relative flex-1 cursor-pointer whitespace-nowrap has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary has-aria-invalid:border-danger',
      )}
    >
      <input type="file" className="sr-only" {...input} />
      <Icon className="size-5" strokeWidth={1.75} aria-hidden="true" />
      {label}
    </label>
  )
}
