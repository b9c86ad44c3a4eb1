import { useQuery } from '@tanstack/react-query'
import { formatPence } from '#domain/format.ts'
import { inLondon } from '#domain/format-time.ts'
import { figuresQuery } from '#web/features/activity/queries.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'

const month = inLondon({ month: 'long' })

/** Goods without VAT; a sale that fell through is not counted. */
export function FiguresOfMonth({ running }: { running: string | undefined }) {
  const { data, isError } = useQuery(figuresQuery)
  if (isError) return null
  return (
    <section aria-labelledby="figures" className="grid gap-3">
      <h2 id="figures" className="text-16">
        {data ? `${month.format(new Date(data.since))} so far` : 'This month so far'}
      </h2>
      <dl className="border-y border-line">
        <Figure name="Sold" value={data && formatPence(data.sold.value.value)} more={data && listings(data.sold.count)} />
        <Figure name="Bought" value={data && formatPence(data.bought.value.value)} more={data && listings(data.bought.count)} />
        <Figure name="Running now" value={running} more="your listings" />
      </dl>
      <p className="text-12 text-muted">Goods without VAT, by the price at the end.</p>
    </section>
  )
}

const listings = (count: number) => (count === 1 ? '1 listing' : `${count} listings`)

function Figure({ name, value, more }: { name: string; value: string | undefined; more: string | undefined }) {
  return (
    <div className="flex items-baseline justify-between gap-4 border-t border-line py-2 first:border-t-0">
      <dt>
        {name} {more && <span className="text-muted">· {more}</span>}
      </dt>
      <dd className="tabular text-28 font-strong">{value ?? <Skeleton className="h-8 w-24" />}</dd>
    </div>
  )
}
