import { useQuery } from '@tanstack/react-query'
import { fewQuery, type Side } from '#web/features/activity/queries.ts'

/** How many wait for the member, on the link that leads to them; asked for again when the page is looked at. */
export default function WaitingBadge({ side }: { side: Side }) {
  const { data } = useQuery(fewQuery(side, 'waiting'))
  const count = data?.meta.counts['waiting']
  if (!count) return null
  return (
    <span className="tabular absolute top-1 left-1/2 ml-2 min-w-4 rounded-full bg-primary-fill px-1 text-center text-12 font-strong text-on-primary">
      {count > 99 ? '99+' : count}
      <span className="sr-only"> waiting for you</span>
    </span>
  )
}
