import { FileBadge, FileText } from 'lucide-react'

type Props = { preview: string | null; fileName: string | null; isFaint?: boolean }

/** What a document looks like: a photo as it is, a PDF or Word file by its name's ending. */
export function Preview({ preview, fileName, isFaint = false }: Props) {
  return (
    <div className="grid size-16 shrink-0 overflow-hidden rounded-base border border-line bg-sunken text-muted md:size-20">
      {preview ? (
        <img src={preview} alt={`Preview of ${fileName}`} className={`size-full object-cover ${isFaint ? 'opacity-50' : ''}`} />
      ) : fileName ? (
        <span className="grid content-center justify-items-center gap-1">
          <FileText className="size-6" strokeWidth={1.5} aria-hidden="true" />
          <span className="tabular text-12 font-strong uppercase">{fileName.split('.').at(-1)}</span>
        </span>
      ) : (
        <FileBadge className="place-self-center size-7" strokeWidth={1.5} aria-hidden="true" />
      )}
    </div>
  )
}
