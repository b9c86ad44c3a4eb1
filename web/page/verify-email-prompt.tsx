import { useState } from 'react'
import { sentences } from '#contract/values/sentences.ts'
import { call } from '#web/api/api.ts'
import { sayError, saySuccess } from '#web/api/notices.ts'
import { Button } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'

export function VerifyEmailPrompt({ email }: { email: string }) {
  return (
    <Callout look="warning" title="Confirm your email">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="wrap-anywhere">We sent a link to {email}. Open it to confirm that the address is yours.</p>
        <SendVerificationAgain />
      </div>
    </Callout>
  )
}

export function SendVerificationAgain() {
  const [isSending, setIsSending] = useState(false)
  const resend = async () => {
    setIsSending(true)
    try {
      await call('POST /api/v1/auth/verify-email')
      saySuccess(sentences.success, sentences.checkYourEmail)
    } catch (error) {
      sayError(error, resend)
    } finally {
      setIsSending(false)
    }
  }
  return (
    <Button kind="plain" className="justify-self-start" isLoading={isSending} onClick={resend}>
      Send it again
    </Button>
  )
}
