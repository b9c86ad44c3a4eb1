import { MemberDashboard } from '#web/pages/member-dashboard.tsx'
import { VisitorDashboard } from '#web/pages/visitor-dashboard.tsx'
import { useUser } from '#web/session.ts'

export default function DashboardPage() {
  const user = useUser()
  return user ? <MemberDashboard user={user} /> : <VisitorDashboard />
}
