import { useMemo, useState } from 'react'
import type { EnquiryMap as Found, TradespeopleOfDistrict } from '#contract/market/enquiries.ts'
import { formatWeight } from '#domain/format.ts'
import { messageOf } from '#web/api/api-error.ts'
import { useEnquiryMap, useTradespeople } from '#web/features/market/data/queries.ts'
import type { MarketFilter } from '#web/features/market/data/filter.ts'
import { Britain, type MarkerName } from '#web/map/britain.tsx'
import { PlaceLink } from '#web/navigation/place-link.tsx'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'
import { FailedState } from '#web/ui/state.tsx'

type EnquiryPoint = Found['points'][number] & { kind: 'enquiry' }
type TradePoint = TradespeopleOfDistrict & { kind: 'trade' }
type Point = EnquiryPoint | TradePoint

type Props = { filter: MarketFilter; search: Record<string, string>; showsTrades: boolean }

/** Where the metal lies and where tradespeople are, by postcode district. */
export default function EnquiryMap({ filter, search, showsTrades }: Props) {
  const { data, error, refetch, isFetching } = useEnquiryMap(filter)
  const [isWithTrades, setIsWithTrades] = useState(false)
  const { data: trades } = useTradespeople(showsTrades && isWithTrades)
  const [chosen, setChosen] = useState<readonly Point[]>([])
  const points = useMemo<Point[]>(
    () => [
      ...(data?.points ?? []).map((point) => ({ ...point, kind: 'enquiry' as const })),
      ...(isWithTrades ? (trades ?? []) : []).map((point) => ({ ...point, kind: 'trade' as const })),
    ],
    [data, trades, isWithTrades],
  )
  if (!data && error) return <FailedState message={messageOf(error)} onRetry={() => void refetch()} isRetrying={isFetching} />
  const count = data?.points.length ?? 0
  return (
    <section aria-label="Map of enquiries" className="grid gap-4">
      <Britain points={points} nameOf={nameOf} onChoose={setChosen} />
      <div className="flex flex-wrap items-center justify-between gap-x-6">
        <p role="status" className="text-muted">
          {data
            ? `${data.is_complete ? '' : 'More than '}${count} ${count === 1 ? 'enquiry' : 'enquiries'}. Choose a place.`
            : 'Loading the map…'}
        </p>
        {showsTrades && (
          <Checkbox
            label="Show tradespeople, by postcode district"
            checked={isWithTrades}
            onChange={({ target }) => setIsWithTrades(target.checked)}
          />
        )}
      </div>
      {chosen.length > 0 && <Chosen points={chosen} search={search} />}
    </section>
  )
}

function nameOf(points: readonly Point[]): MarkerName {
  const [first] = points as [Point, ...Point[]]
  const enquiries = points.filter(({ kind }) => kind === 'enquiry').length
  if (points.length > 1)
    return {
      text: String(points.length),
      spoken: `${points.length} places near ${first.town}: ${enquiries} with enquiries, ${points.length - enquiries} with tradespeople`,
      isSeveral: true,
    }
  if (first.kind === 'trade') {
    const count = first.people.length
    return {
      text: first.post_code_district,
      spoken: `${count} ${count === 1 ? 'tradesperson' : 'tradespeople'} in ${first.post_code_district}, ${first.town}`,
      isSeveral: false,
      look: 'is-quiet',
    }
  }
  const text = `${first.material_group}${first.weight_kg === null ? '' : ` ${formatWeight(first.weight_kg)}`}`
  return { text, spoken: `${text}: ${first.title}, ${first.town}`, isSeveral: false }
}

function Chosen({ points, search }: { points: readonly Point[]; search: Record<string, string> }) {
  return (
    <ul aria-label="At this place" className="border-y border-line">
      {points.map((point) => (
        <li key={point.kind === 'enquiry' ? point.id : point.post_code_district} className="border-t border-line first:border-t-0">
          {point.kind === 'enquiry' ? (
            <PlaceLink
              to="market-listing"
              params={{ id: point.id }}
              search={{ ...search, view: 'map' }}
              resetScroll={false}
              className="group grid min-h-14 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 py-2"
            >
              <span className="truncate font-strong group-hover:text-primary">{point.title}</span>
              <span className="tabular text-right text-20">{point.weight_kg === null ? '' : formatWeight(point.weight_kg)}</span>
              <span className="truncate text-muted">
                {point.town} · {point.material_group}
              </span>
            </PlaceLink>
          ) : (
            <div className="grid gap-1 py-3">
              <p className="font-strong">
                Tradespeople in {point.post_code_district}, {point.town}
              </p>
              <p className="text-muted">
                {point.people
                  .map(({ company_name, business_activity }) => `${company_name} (${business_activity.toLowerCase()})`)
                  .join(', ')}
              </p>
            </div>
          )}
        </li>
      ))}
    </ul>
  )
}
