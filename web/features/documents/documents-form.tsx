import { Camera, FileUp, X } from 'lucide-react'
import type { ReactNode } from 'react'
import type { MerchantDocument } from '#contract/documents.ts'
import { DOCUMENT_DETAIL_MAX, documentKinds } from '#contract/values/document-kinds.ts'
import { MERCHANT_DOCUMENTS_MAX } from '#contract/values/limits.ts'
import { Picker } from '#web/features/documents/picker.tsx'
import { Preview } from '#web/features/documents/preview.tsx'
import { useNewDocuments, type Details, type NewDocuments } from '#web/features/documents/use-new-documents.ts'
import { ActionBar } from '#web/ui/action-bar.tsx'
import { Button } from '#web/ui/button.tsx'
import { FieldNotes, useFieldIds } from '#web/ui/fields/field.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { ACCEPTED } from '#web/upload/document-field.tsx'
import type { Upload } from '#web/upload/use-uploads.ts'

const help = `JPEG, PNG, Word (DOCX) or PDF, up to ${MERCHANT_DOCUMENTS_MAX} files.`

type Props = {
  userId: string
  saved: readonly MerchantDocument[]
  said?: Partial<Details> | undefined
  submit: string
  onSaved: () => void
  /** What else there is to do in a stage of onboarding: it may go on with what is there already. */
  orElse?: ReactNode
}

/** The upload control of SPEC §2, with what each file is. */
export function DocumentsForm({ userId, saved, said, submit: sends, onSaved, orElse }: Props) {
  const documents = useNewDocuments({ userId, saved, said, mayAddNone: orElse !== undefined, onSaved })
  const { submit, isSending, uploads, add, errorOf } = documents
  const error = errorOf('documents')
  const { id, control } = useFieldIds({ help, error })
  return (
    <form noValidate onSubmit={submit} aria-label="Upload documents" className="grid gap-6">
      <div className="grid gap-3">
        <p id={`${id}-label`} className="font-strong">
          Scrap merchant documents
        </p>
        {uploads.length > 0 && (
          <ul aria-labelledby={`${id}-label`} className="grid gap-3">
            {uploads.map((upload) => (
              <NewDocument key={upload.key} upload={upload} nth={placeOf(uploads, upload)} {...documents} />
            ))}
          </ul>
        )}
        <div className="flex flex-wrap gap-3 max-md:[&>*]:flex-1">
          <Picker
            icon={FileUp}
            label={uploads.length > 0 ? 'Add files' : 'Choose files'}
            accept={ACCEPTED}
            multiple
            onPick={add}
            name="documents"
            {...control}
            labelId={`${id}-pick`}
            aria-labelledby={`${id}-label ${id}-pick`}
          />
          <span className="grid md:hidden">
            <Picker icon={Camera} label="Take a photo" accept="image/jpeg,image/png" capture="environment" onPick={add} />
          </span>
        </div>
        <FieldNotes id={id} help={help} error={error} />
      </div>
      <ActionBar isAtFoot={orElse !== undefined}>
        <Button type="submit" isLoading={isSending}>
          {sends}
        </Button>
        {orElse}
      </ActionBar>
    </form>
  )
}

/** Which of the documents that have arrived it is; the form holds those alone. */
const placeOf = (uploads: readonly Upload[], upload: Upload) => uploads.filter(({ item }) => item).indexOf(upload)

type DocumentProps = Pick<NewDocuments, 'field' | 'form' | 'remove'> & { upload: Upload; nth: number }

function NewDocument({ upload, nth, field, form, remove }: DocumentProps) {
  const { file_name, preview, progress, item } = upload
  return (
    <li className="grid gap-4 rounded-base border border-line bg-surface p-3">
      <div className="flex items-start gap-3">
        <Preview preview={preview} fileName={file_name} isFaint={!item} />
        <div className="grid min-w-0 flex-1 gap-2 self-center">
          <p className="truncate font-strong">{file_name}</p>
          {!item && (
            <progress
              aria-label={`Uploading ${file_name}`}
              value={progress}
              className="h-1 w-full appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-primary-fill [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-primary-fill"
            />
          )}
        </div>
        <button
          type="button"
          aria-label={`Remove ${file_name}`}
          onClick={() => remove(upload)}
          className="-mt-1 -mr-1 grid size-11 place-items-center rounded-base text-muted hover:bg-sunken hover:text-ink"
        >
          <X className="size-4" aria-hidden="true" />
        </button>
      </div>
      {item && nth < form.getValues('documents').length && (
        <div role="group" aria-label={`About ${file_name}`} className="grid gap-4 md:grid-cols-2">
          <SelectField label="What it is" {...field(`documents.${nth}.kind`)}>
            {Object.entries(documentKinds).map(([kind, name]) => (
              <option key={kind} value={kind}>
                {name}
              </option>
            ))}
          </SelectField>
          <TextField label="Number (optional)" autoComplete="off" maxLength={DOCUMENT_DETAIL_MAX} {...field(`documents.${nth}.number`)} />
          <TextField label="Issued by (optional)" maxLength={DOCUMENT_DETAIL_MAX} {...field(`documents.${nth}.council`)} />
          <TextField label="Expires on (optional)" type="date" {...field(`documents.${nth}.expires_at`)} />
        </div>
      )}
    </li>
  )
}
