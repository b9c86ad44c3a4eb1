import { leaveProvider } from '#server/features/payments/leave.ts'
import { ensureAccount, type AccountDeps } from '#server/features/payments/account.ts'
import type { JobHandlers } from '#server/jobs/worker.ts'

export function paymentJobs(deps: AccountDeps): Pick<JobHandlers, 'create_payment_account' | 'leave_provider' | 'settle_provider_call'> {
  return {
    async create_payment_account({ user_id }) {
      await ensureAccount(deps, user_id)
    },
    leave_provider: ({ user_id }) => deps.db.transaction().execute((tx) => leaveProvider(tx, user_id)),
    async settle_provider_call({ call_id }) {
      const { outcome } = await deps.provider.make(call_id)
      if (outcome === 'unsure') throw new Error(`the provider's answer to call ${call_id} is still not known`)
    },
  }
}
