import { useEffect, useRef, useState } from 'react'
import { documentKinds } from '#contract/values/document-kinds.ts'
import { REASON_MAX } from '#contract/values/limits.ts'
import { formatMoment } from '#domain/format-time.ts'
import { lastDayInWords, lastDayOf } from '#domain/licence.ts'
import type { ApiError } from '#web/api/api-error.ts'
import { queryClient } from '#web/api/query-client.ts'
import { useUser } from '#web/api/session.ts'
import { approve, documentQuery, reject, type DocumentToReview } from '#web/features/back-office/documents/queries.ts'
import { useForm } from '#web/forms/form.ts'
import { PlaceLink } from '#web/navigation/place-link.tsx'
import { Button, buttonLook } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'

/** Who decided the document while this page was open. */
type Decider = 'you' | 'another'

/** Approve or reject a document that waits; the outcome once that is done, by whomever. */
export function Decision({ document }: { document: DocumentToReview }) {
  const [decider, setDecider] = useState<Decider>()
  const isAdmin = useUser()?.role === 'admin'
  if (document.status !== 'pending') return <Outcome document={document} decider={decider} />
  if (!isAdmin)
    return (
      <Callout title="This document waits for an admin">
        <p>You can see everything about it. Only an admin can approve or reject it, because that decides who may buy scrap.</p>
      </Callout>
    )
  const props = {
    document,
    onDecided: () => setDecider('you'),
    onOvertaken: async () => {
      setDecider('another')
      await queryClient.invalidateQueries({ queryKey: documentQuery(document.id).queryKey })
    },
  }
  return (
    <div className="grid items-start gap-x-10 gap-y-8 md:grid-cols-2">
      <ApproveForm {...props} />
      <RejectForm {...props} />
    </div>
  )
}

type FormProps = { document: DocumentToReview; onDecided: () => void; onOvertaken: () => Promise<void> }

function ApproveForm({ document: { id, expires_at }, onDecided, onOvertaken }: FormProps) {
  const { submit, isSending, field } = useForm({
    defaultValues: { expires_at: expires_at ? lastDayOf(new Date(expires_at)) : '' },
    send: async (values) => {
      await approve(id, values.expires_at || null)
      onDecided()
    },
    whenRefused: (error) => isOvertaken(error, onOvertaken),
  })
  const help = expires_at
    ? `Its owner said ${lastDayInWords(new Date(expires_at))}, which counts if you leave this empty.`
    : 'Its owner gave no day. Leave this empty if the document has no end.'
  return (
    <form noValidate onSubmit={submit} aria-label="Approve the document" className="grid gap-4">
      <TextField label="Valid until" type="date" help={help} {...field('expires_at')} />
      <Button type="submit" isLoading={isSending} className="justify-self-start max-md:justify-self-stretch">
        Approve
      </Button>
    </form>
  )
}

function RejectForm({ document: { id }, onDecided, onOvertaken }: FormProps) {
  const { submit, isSending, field } = useForm({
    defaultValues: { reason: '' },
    send: async ({ reason }) => {
      await reject(id, reason)
      onDecided()
    },
    whenRefused: (error) => isOvertaken(error, onOvertaken),
  })
  return (
    <form noValidate onSubmit={submit} aria-label="Reject the document" className="grid gap-4">
      <TextArea
        label="Reason to reject it"
        help="Its owner reads it: say what is wrong and what to send instead."
        maxLength={REASON_MAX}
        {...field('reason', { required: 'Say why' })}
      />
      <Button type="submit" kind="danger" isLoading={isSending} className="justify-self-start max-md:justify-self-stretch">
        Reject
      </Button>
    </form>
  )
}

/** Another admin was first. */
function isOvertaken({ code }: ApiError, onOvertaken: () => Promise<void>): boolean {
  if (code !== 'document_reviewed') return false
  void onOvertaken()
  return true
}

function Outcome({ document, decider }: { document: DocumentToReview; decider: Decider | undefined }) {
  const place = useRef<HTMLDivElement>(null)
  // the form that had the focus is gone
  useEffect(() => {
    if (decider) place.current?.focus()
  }, [decider])
  const { status, kind, reviewed_at, reason, expires_at } = document
  const isApproved = status === 'approved'
  const until = isApproved && expires_at ? ` until ${lastDayInWords(new Date(expires_at))}` : ''
  return (
    <div ref={place} tabIndex={-1} role="status" className="grid gap-4">
      <Callout
        look={decider === 'another' ? 'warning' : isApproved ? 'success' : 'danger'}
        title={decider === 'another' ? 'Another admin decided first' : `${documentKinds[kind]} ${status}${until}`}
      >
        {decider === 'another' && (
          <p>
            {documentKinds[kind]} {status}
            {until}. Your decision was not used.
          </p>
        )}
        {!isApproved && <p className="wrap-anywhere">{reason}</p>}
        {reviewed_at && <p className="text-muted">Decided {formatMoment(new Date(reviewed_at))}</p>}
      </Callout>
      <PlaceLink to="admin-documents" className={buttonLook('plain', 'justify-self-start')}>
        Documents that wait
      </PlaceLink>
    </div>
  )
}
