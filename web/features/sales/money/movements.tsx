import type { Listing } from '#contract/listings.ts'
import { formatPence } from '#domain/format.ts'
import type { StepName } from '#domain/sales/listing-machine-table.ts'
import { stepLabels } from '#domain/sales/listing-step-words.ts'

type Refund = Listing['refunds'][number]
type Payout = Listing['payouts'][number]
type Look = { words: string; look: string }

/** Money on its way back to the buyer and on to the seller, each with how far it has come. */
export function Movements({ listing: { refunds, payouts, is_owner } }: { listing: Listing }) {
  if (refunds.length === 0 && payouts.length === 0) return null
  return (
    <section aria-labelledby="movements" className="grid gap-3">
      <h2 id="movements" className="text-16">
        {payouts.length > 0 ? (refunds.length > 0 ? 'Payouts and refunds' : 'Payouts') : 'Refunds'}
      </h2>
      <ul className="border-y border-line">
        {payouts.map(({ id, amount, purpose, status }) => (
          <Movement key={id} name={payoutNames[purpose]} amount={amount.value} state={payoutStates[status]} />
        ))}
        {refunds.map(({ id, amount, reason, status }) => (
          <Movement
            key={id}
            name={`${is_owner ? 'Refund to the buyer' : 'Refund to you'}${why(reason)}`}
            amount={amount.value}
            state={(is_owner ? sellersView : buyersView)[status]}
          />
        ))}
      </ul>
    </section>
  )
}

function Movement({ name, amount, state: { words, look } }: { name: string; amount: number; state: Look }) {
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-4 border-t border-line py-3 first:border-t-0">
      <span>{name}</span>
      <span className="tabular text-20">{formatPence(amount)}</span>
      <span className={`col-span-2 ${look}`}>{words}</span>
    </li>
  )
}

/** A refund's reason is the step that made it. */
const why = (reason: string) => (Object.hasOwn(stepLabels, reason) ? `: ${stepLabels[reason as StepName].toLowerCase()}` : '')

const payoutNames: Record<Payout['purpose'], string> = {
  goods: 'Payout for the goods',
  balance_due: 'Payout of the balance',
  holding_fee: 'Your share of the holding fee',
}

const payoutStates: Record<Payout['status'], Look> = {
  on_its_way: { words: 'On its way to your payment account', look: 'text-primary' },
  waiting_for_account: { words: 'Waits until your payment account is verified. See Account, Your details.', look: 'text-warning' },
  done: { words: 'Paid into your payment account', look: 'text-success' },
  stopped: { words: 'Stopped: the buyer’s bank disputes the payment', look: 'text-danger' },
  taken_back: { words: 'Taken back', look: 'text-danger' },
}

const buyersView: Record<Refund['status'], Look> = {
  on_its_way: { words: 'On its way to where you paid from. Cards take 5 to 10 days, banks a few.', look: 'text-primary' },
  waiting_for_bank_details: { words: 'Waits for your bank details: look for the email of the payment provider.', look: 'text-warning' },
  done: { words: 'Done', look: 'text-success' },
  failed: { words: 'It did not arrive. Yardbid looks into it and writes to you.', look: 'text-danger' },
}

const sellersView: Record<Refund['status'], Look> = {
  on_its_way: { words: 'On its way', look: 'text-primary' },
  waiting_for_bank_details: { words: 'Waits for the buyer’s bank details', look: 'text-primary' },
  done: { words: 'Done', look: 'text-success' },
  failed: { words: 'It did not arrive. Yardbid looks into it.', look: 'text-danger' },
}
