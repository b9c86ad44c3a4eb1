import type { Listing } from '#contract/listings.ts'
import { formatPence } from '#domain/format.ts'
import { formatMoment } from '#domain/format-time.ts'
import type { AmendLine } from '#domain/sales/amend.ts'
import { BeforeAndAfter, beforeOf } from '#web/features/sales/amends/before-and-after.tsx'
import type { Party } from '#web/listing/turn.ts'

type Amend = Listing['amends'][number]

/** Every amend that was asked for, the newest first: what was found, and what it makes of the price. */
export function Amends({ listing, party }: { listing: Listing; party: Party }) {
  if (listing.amends.length === 0) return null
  return (
    <section aria-labelledby="amends" className="grid gap-3">
      <h2 id="amends" className="text-16">
        {listing.amends.length === 1 ? 'Amend' : 'Amends'}
      </h2>
      {listing.amends.toReversed().map((amend) => (
        <OneAmend key={amend.id} {...{ amend, listing, party }} />
      ))}
    </section>
  )
}

function OneAmend({ amend, listing, party }: { amend: Amend; listing: Listing; party: Party }) {
  const { words, look } = states[amend.status]
  const amounts = { goods: amend.goods.value, vat: amend.vat.value, total: amend.total.value, difference: amend.difference.value }
  return (
    <div className="grid gap-3 rounded-base border border-line bg-surface p-4">
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className={`font-strong ${look}`}>{words}</span>
        <time dateTime={amend.requested_at} className="text-12 text-muted">
          Asked for on {formatMoment(new Date(amend.requested_at))}
        </time>
      </p>
      <table className="w-full text-right">
        <thead className="text-12 text-muted">
          <tr>
            <th scope="col" className="text-left font-normal">
              <span className="sr-only">What</span>
            </th>
            <th scope="col" className="font-normal">
              Listed
            </th>
            <th scope="col" className="font-normal">
              Found
            </th>
          </tr>
        </thead>
        <tbody>
          {amend.lines.map((line) => (
            <tr key={line.type} className="border-t border-line align-baseline">
              <th scope="row" className="py-2 text-left font-normal text-muted">
                {names[line.type]}
              </th>
              <td className="tabular py-2 text-20">{written(line, line.listed)}</td>
              <td className="tabular py-2 text-20">
                {written(line, line.found)}
                {line.price_effect !== undefined && (
                  <span className="block text-14 text-muted">{signed(line.price_effect)} without VAT</span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {amend.status === 'requested' || amend.status === 'approved' ? (
        <BeforeAndAfter before={beforeOf(listing, amounts)} after={amounts} party={party} />
      ) : (
        <p className="text-muted">A total of {formatPence(amounts.total)} was asked for. The price stays as it was.</p>
      )}
    </div>
  )
}

const states: Record<Amend['status'], { words: string; look: string }> = {
  requested: { words: 'Waiting for the seller', look: 'text-warning' },
  approved: { words: 'Approved', look: 'text-success' },
  rejected: { words: 'Rejected', look: 'text-danger' },
  withdrawn: { words: 'Withdrawn', look: 'text-muted' },
}

const names: Record<AmendLine['type'], string> = { weight: 'Weight', grade: 'Grade', contamination: 'Contamination' }

function written({ type }: AmendLine, value: string): string {
  if (type === 'grade') return value || '–'
  return type === 'weight' ? `${Number(value).toLocaleString('en-GB')} kg` : `${value}%`
}

const signed = (pence: number) => `${pence < 0 ? '−' : '+'}${formatPence(Math.abs(pence))}`
