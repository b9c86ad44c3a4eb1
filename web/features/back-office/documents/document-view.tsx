import { FileText, FileX } from 'lucide-react'
import type { ReactNode } from 'react'
import { businessActivities } from '#contract/values/business.ts'
import { documentKinds } from '#contract/values/document-kinds.ts'
import { formatMoment } from '#domain/format-time.ts'
import { Comparison } from '#web/features/back-office/documents/comparison.tsx'
import type { DocumentToReview } from '#web/features/back-office/documents/queries.ts'
import { PlaceLink } from '#web/navigation/place-link.tsx'
import { buttonLook } from '#web/ui/button.tsx'
import { Facts } from '#web/ui/facts.tsx'

/** The file beside what its owner said, so that the two can be compared. */
export function DocumentView({ document }: { document: DocumentToReview }) {
  const { user, said, kind, submitted_at } = document
  return (
    <>
      <FileView file={document.file} />
      <div className="grid content-start gap-6">
        <Comparison document={document} />
        <Facts
          title="Its owner"
          rows={[
            ['Company', user.company_name],
            ['Company number', said.company_number],
            ['Business', user.business_activity && businessActivities[user.business_activity].label],
            ['Name', `${user.first_name} ${user.surname}`],
            ['Email', user.email],
            ['Document', documentKinds[kind]],
            ['Uploaded', formatMoment(new Date(submitted_at))],
          ]}
        />
        <PlaceLink to="admin-audit" search={{ about: user.email }} className="link inline-flex min-h-11 items-center justify-self-start">
          Audit log of {user.company_name}
        </PlaceLink>
      </div>
    </>
  )
}

function FileView({ file }: Pick<DocumentToReview, 'file'>) {
  if (!file)
    return (
      <NoPicture icon={FileX}>
        <p>This document was put on record without a file.</p>
      </NoPicture>
    )
  const { media, mime_type, file_name } = file
  if (!mime_type.startsWith('image/'))
    return (
      <NoPicture icon={FileText}>
        <p className="text-center text-ink wrap-anywhere">{file_name}</p>
        <a href={media.url} target="_blank" rel="noreferrer" className={buttonLook('plain')}>
          Open the file in a new tab
        </a>
      </NoPicture>
    )
  return (
    <a href={media.url} target="_blank" rel="noreferrer" className="grid content-start gap-2 text-muted hover:text-ink">
      <img
        src={media.url}
        alt={`The document ${file_name}`}
        className="max-h-[70dvh] w-full rounded-base border border-line bg-sunken object-contain"
      />
      <span className="wrap-anywhere">Open {file_name} at its full size in a new tab</span>
    </a>
  )
}

function NoPicture({ icon: Icon, children }: { icon: typeof FileX; children: ReactNode }) {
  return (
    <div className="grid min-h-56 content-center justify-items-center gap-3 self-start rounded-base border border-line bg-sunken p-6 text-muted lg:min-h-96">
      <Icon className="size-10" strokeWidth={1.5} aria-hidden="true" />
      {children}
    </div>
  )
}
