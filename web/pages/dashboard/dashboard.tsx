import { Suspense } from 'react'
import { useUser } from '#web/api/session.ts'
import { Page } from '#web/page/page.tsx'
import { VisitorDashboard } from '#web/pages/dashboard/visitor-dashboard.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { lazyPart } from '#web/ui/lazy-part.ts'

const MemberDashboard = lazyPart(() => import('#web/pages/dashboard/member-dashboard.tsx'))

export default function DashboardPage() {
  const user = useUser()
  if (!user) return <VisitorDashboard />
  return (
    <Page title={user.company_name} lead={`Logged in as ${user.first_name} ${user.surname}.`}>
      <Suspense fallback={<Skeleton className="h-dvh w-full" />}>
        <MemberDashboard user={user} />
      </Suspense>
    </Page>
  )
}
