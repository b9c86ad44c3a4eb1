import { ChevronRight } from 'lucide-react'
import { activitiesOf } from '#web/features/account/activity-select.tsx'
import { useNextPage } from '#web/navigation/next-page.ts'
import { PlaceLink } from '#web/navigation/place-link.tsx'
import { TaskPage } from '#web/page/task-page.tsx'

export default function PreregistrationPage() {
  return (
    <TaskPage title="What does your business do?" lead="Choose what you do most. You can change it later." isWide>
      <div className="grid gap-8 md:grid-cols-2">
        <Side title="Merchants" side="merchant" />
        <Side title="Trades" side="trade" />
      </div>
    </TaskPage>
  )
}

function Side({ title, side }: { title: string; side: 'merchant' | 'trade' }) {
  const next = useNextPage()
  return (
    <section aria-label={title} className="grid content-start">
      <h2 className="border-b border-control pb-2 text-14">{title}</h2>
      <ul>
        {activitiesOf(side).map(([activity, { label }]) => (
          <li key={activity} className="border-b border-line">
            <PlaceLink
              to="register"
              search={{ ...next, activity }}
              className="group flex min-h-12 items-center justify-between gap-3 text-16 -outline-offset-2 hover:text-primary"
            >
              {label}
              <ChevronRight className="size-4 text-muted group-hover:text-primary" aria-hidden="true" />
            </PlaceLink>
          </li>
        ))}
      </ul>
    </section>
  )
}
