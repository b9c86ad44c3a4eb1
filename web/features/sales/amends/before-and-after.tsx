import type { Listing } from '#contract/listings.ts'
import { formatPence } from '#domain/format.ts'
import type { AmendedAmounts } from '#domain/sales/amend.ts'
import type { Party } from '#web/listing/turn.ts'

/** Of an amend that stands only the total before it is known. */
type Before = { goods?: number; vat?: number; total: number }
type Props = { before: Before; after: AmendedAmounts; party: Party }

export const beforeOf = ({ amounts }: Listing, { total, difference }: Pick<AmendedAmounts, 'total' | 'difference'>): Before =>
  amounts?.total.value === total - difference
    ? { goods: amounts.goods.value, vat: amounts.vat.value, total: amounts.total.value }
    : { total: total - difference }

/** What an amend makes of the price, and who gets or pays the difference. */
export function BeforeAndAfter({ before, after, party }: Props) {
  const isDown = after.difference < 0
  const outcome = party === 'buyer' ? (isDown ? 'You get back' : 'You pay more') : isDown ? 'The buyer gets back' : 'The buyer pays more'
  return (
    <div className="grid gap-2 rounded-base bg-sunken px-4 py-3">
      <table className="w-full text-right">
        <thead className="text-12 text-muted">
          <tr>
            <th scope="col" className="text-left font-normal">
              <span className="sr-only">Part</span>
            </th>
            <th scope="col" className="font-normal">
              Before
            </th>
            <th scope="col" className="font-normal">
              After
            </th>
          </tr>
        </thead>
        <tbody>
          <Row name="Goods" before={before.goods} after={after.goods} />
          <Row name="VAT" before={before.vat} after={after.vat} />
          <Row name="Total" before={before.total} after={after.total} look="font-strong" />
        </tbody>
      </table>
      <p className="flex items-baseline justify-between gap-4 border-t border-line pt-2 font-strong">
        <span>{outcome}</span>
        <span className={`tabular text-28 ${isDown === (party === 'buyer') ? 'text-success' : 'text-danger'}`}>
          {formatPence(Math.abs(after.difference))}
        </span>
      </p>
    </div>
  )
}

type RowProps = { name: string; before: number | undefined; after: number; look?: string }

const Row = ({ name, before, after, look = '' }: RowProps) => (
  <tr className={look}>
    <th scope="row" className={`text-left ${look ? '' : 'font-normal text-muted'}`}>
      {name}
    </th>
    <td className="tabular text-20 text-muted">{before === undefined ? '' : formatPence(before)}</td>
    <td className="tabular text-20">{formatPence(after)}</td>
  </tr>
)
