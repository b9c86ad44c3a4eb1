import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { REASON_MAX } from '#contract/values/limits.ts'
import { places } from '#contract/values/places.ts'
import { sentences } from '#contract/values/sentences.ts'
import { call } from '#web/api/api.ts'
import { sayError, saySuccess } from '#web/api/notices.ts'
import { endSession, tellOtherTabs } from '#web/api/session.ts'
import { useForm } from '#web/forms/form.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'

export function DeleteAccount() {
  const router = useRouter()
  const [reason, setReason] = useState<string>()
  const [isDeleting, setIsDeleting] = useState(false)
  const { field, submit } = useForm<{ reason: string }>({
    defaultValues: { reason: '' },
    send: async (values) => setReason(values.reason),
  })

  const deleteAccount = async () => {
    setIsDeleting(true)
    try {
      await call('POST /api/v1/auth/me/delete', { body: { reason: reason ?? '' } })
      endSession()
      tellOtherTabs('logged_out')
      saySuccess('Account deleted', 'Log in again if you change your mind: for a while it can be restored.')
      await router.navigate({ to: places.dashboard.path })
    } catch (error) {
      setReason(undefined)
      sayError(error)
    } finally {
      setIsDeleting(false)
    }
  }

  return (
    <form noValidate onSubmit={submit} className="grid gap-5" aria-label="Delete account">
      <TextArea
        label="Why are you leaving?"
        maxLength={REASON_MAX}
        {...field('reason', { validate: (value) => value.trim() !== '' || 'Tell us why' })}
      />
      <Button type="submit" kind="plain" className="md:justify-self-start">
        Delete account
      </Button>
      {reason !== undefined && (
        <ConfirmDialog
          title={sentences.confirmTitle}
          confirm="Delete"
          cancel="Cancel"
          isLoading={isDeleting}
          onConfirm={deleteAccount}
          onCancel={() => setReason(undefined)}
        >
          <p>
            Your account is closed, a subscription is cancelled with it, and you are logged out everywhere. For a while you can log in again
            and restore all of it.
          </p>
        </ConfirmDialog>
      )}
    </form>
  )
}
