import { useId } from 'react'
import type { Listing } from '#contract/listings.ts'
import { compareWeights, type ComparedWeight } from '#domain/sales/weights.ts'
import { useConfig } from '#web/api/config.ts'

/** What was listed, what the seller's ticket says and what the buyer's says: three numbers and where they lie. */
export function Weighbridge({ listing }: { listing: Listing }) {
  const id = useId()
  const tolerance = useConfig()?.amend_tolerance
  const { weight_kg, exchange, status } = listing
  const isOpen = status.name === 'ReceivedGoods' || status.name === 'ReviewAmend'
  if (!exchange || tolerance === undefined) return null
  const tickets = { seller_kg: exchange.seller_weight_kg, buyer_kg: exchange.buyer_weight_kg }
  const weights = compareWeights({ listed_kg: weight_kg, ...tickets, tolerance })
  if (!weights.some(({ of }) => of !== 'listed')) return null
  return (
    <section aria-labelledby={id} className="grid gap-3">
      <h2 id={id} className="text-16">
        Weighbridge
      </h2>
      <div className="grid gap-3 rounded-base border border-line bg-surface p-4">
        <dl className="grid grid-cols-3 gap-x-3">
          {weights.map((weight) => (
            <Weight key={weight.of} {...{ weight, tolerance }} />
          ))}
        </dl>
        {weight_kg !== null && (
          <>
            <Chart weights={weights} listed={weight_kg} tolerance={tolerance} />
            <p className="text-12 text-muted">
              Shaded: within {tolerance}% of the listed weight.
              {isOpen && ' An amend of the weight alone that lies in it is approved if the seller does not answer.'}
            </p>
          </>
        )}
      </div>
    </section>
  )
}

const names: Record<ComparedWeight['of'], string> = { listed: 'Listed', seller: 'Seller’s ticket', buyer: 'Buyer’s ticket' }

function Weight({ weight: { of, kg, difference }, tolerance }: { weight: ComparedWeight; tolerance: number }) {
  return (
    <div className="grid content-start">
      <dt className="text-muted">{names[of]}</dt>
      <dd className="grid">
        <span className="tabular text-20 font-strong whitespace-nowrap sm:text-28">
          {kg.toLocaleString('en-GB')} <span className="text-14 font-normal text-muted">kg</span>
        </span>
        {difference && <Difference {...{ difference, tolerance }} />}
      </dd>
    </div>
  )
}

type DifferenceProps = { difference: NonNullable<ComparedWeight['difference']>; tolerance: number }

function Difference({ difference: { kg, percent, isWithin }, tolerance }: DifferenceProps) {
  if (kg === 0) return <span className="text-success">As listed</span>
  const sign = kg < 0 ? '−' : '+'
  return (
    <span className={`grid ${isWithin ? 'text-success' : 'text-danger'}`}>
      <span className="tabular text-16 whitespace-nowrap">
        {sign}
        {Math.abs(kg).toLocaleString('en-GB')} kg
      </span>
      <span className="tabular text-16 whitespace-nowrap">
        {sign}
        {Math.abs(percent)}%
      </span>
      <span className="text-12">
        {isWithin ? 'Within' : 'Beyond'} {tolerance}%
      </span>
    </span>
  )
}

const WIDTH = 320
const ROW = 26
const EDGE = 10

/** Points on a scale, not bars: the scale does not begin at nothing, so lengths would say too much. The numbers stand above it. */
function Chart({ weights, listed, tolerance }: { weights: readonly ComparedWeight[]; listed: number; tolerance: number }) {
  const off = Math.max((listed * tolerance) / 100, ...weights.map(({ kg }) => Math.abs(kg - listed)), 1) * 1.25
  const x = (kg: number) => EDGE + ((kg - listed + off) / (2 * off)) * (WIDTH - 2 * EDGE)
  const band = (listed * tolerance) / 100
  const tickets = weights.filter(({ of }) => of !== 'listed')
  const height = tickets.length * ROW + 4
  return (
    <svg viewBox={`0 0 ${WIDTH} ${height}`} className="mx-auto w-full max-w-80" aria-hidden="true">
      <rect x={x(listed - band)} y={0} width={x(listed + band) - x(listed - band)} height={height} className="fill-success-soft" />
      <line x1={x(listed)} x2={x(listed)} y1={0} y2={height} className="stroke-success" strokeWidth={2} />
      {tickets.map(({ of, kg, difference }, nth) => {
        const y = nth * ROW + ROW / 2 + 2
        const look = difference?.isWithin ? 'stroke-success fill-success' : 'stroke-danger fill-danger'
        const isRight = x(kg) > WIDTH / 2
        return (
          <g key={of} className={look}>
            <line x1={x(listed)} x2={x(kg)} y1={y} y2={y} strokeWidth={3} />
            <circle cx={x(kg)} cy={y} r={6} stroke="none" />
            <text
              x={isRight ? x(listed) - 8 : x(listed) + 8}
              y={y + 4}
              textAnchor={isRight ? 'end' : 'start'}
              stroke="none"
              className="fill-muted text-12"
            >
              {names[of]}
            </text>
          </g>
        )
      })}
    </svg>
  )
}
