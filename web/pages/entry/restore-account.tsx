import { formatDay } from '#domain/format-time.ts'
import { useUser } from '#web/api/session.ts'
import { RestoreAccount } from '#web/features/account/restore-account.tsx'
import { TaskPage } from '#web/page/task-page.tsx'
import { LogOutButton } from '#web/shell/log-out-button.tsx'

export default function RestoreAccountPage() {
  const user = useUser()
  const until = user?.deletion && formatDay(new Date(user.deletion.restore_until))
  const { status } = user?.subscription ?? {}
  const andWithIt =
    status === 'active' || status === 'trialing' ? ' If you restore it, a subscription that was cancelled with it goes on.' : ''
  return (
    <TaskPage
      title="Your account is deleted"
      lead={until && `You can restore it until ${until}. After that it is gone for good.${andWithIt}`}
    >
      <div className="flex flex-wrap gap-3">
        <RestoreAccount />
        <LogOutButton kind="plain" />
      </div>
    </TaskPage>
  )
}
