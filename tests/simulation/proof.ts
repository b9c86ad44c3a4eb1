import { findViolations } from '#database/check.ts'
import { compareCash, compareWithProvider } from '#server/features/payments/ledger.ts'
import { missingRows, missingStatuses, type Coverage } from '#tests/simulation/coverage.ts'
import { readStandings, type Deal } from '#tests/simulation/deal.ts'
import { isEnd } from '#tests/simulation/choose.ts'
import type { World } from '#tests/simulation/world.ts'

// What a simulation proves when its deals are over. Each answer is something that must not be.

export async function findFaults(world: World, deals: readonly Deal[]): Promise<string[]> {
  const found: string[] = []
  for (const prove of proofs) found.push(...(await prove(world, deals)))
  return [...world.faults, ...found]
}

/** What no deal came through. */
export const missedBy = (coverage: Coverage): string[] => [
  ...missingRows(coverage).map((row) => `a row of the table was never taken: ${row}`),
  ...missingStatuses(coverage).map((status) => `a status was never visited: ${status}`),
]

type Proof = (world: World, deals: readonly Deal[]) => Promise<string[]>

const rowsOf = async ({ yard }: World, says: string, text: string): Promise<string[]> =>
  (await yard.owner.query(text)).rows.map((row) => `${says}: ${JSON.stringify(row)}`)

/** Refunded, charged back and transferred of everything that a listing's charges took: what is left of it at the provider. */
const atProvider = `
  with charge as (
    select doc ->> 'id' as id, doc -> 'metadata' ->> 'listing_id' as listing_id, (doc ->> 'amount_captured')::int as captured,
           (doc ->> 'amount_refunded')::int as refunded
    from stripe_sandbox.objects
    where kind = 'charge' and doc ->> 'status' = 'succeeded' and (doc ->> 'captured')::boolean
  ), moved as (
    select listing_id, captured - refunded as amount from charge
    union all
    select charge.listing_id, -(d.doc ->> 'amount')::int
    from stripe_sandbox.objects d join charge on charge.id = d.doc ->> 'charge'
    where d.kind = 'dispute' and d.doc ->> 'status' <> 'won'
    union all
    select charge.listing_id, (t.doc ->> 'amount_reversed')::int - (t.doc ->> 'amount')::int
    from stripe_sandbox.objects t join charge on charge.id = t.doc ->> 'source_transaction'
    where t.kind = 'transfer'
    union all
    select t.doc -> 'metadata' ->> 'listing_id', (t.doc ->> 'amount_reversed')::int - (t.doc ->> 'amount')::int
    from stripe_sandbox.objects t
    where t.kind = 'transfer' and t.doc ->> 'source_transaction' is null
  )
  select listing_id, sum(amount)::int as amount
  from moved
  where listing_id is not null
  group by listing_id`

const inLedger = `
  select t.listing_id::text, sum(e.amount)::int as amount
  from ledger_transactions t
  join ledger_entries e on e.transaction_id = t.id
  where t.listing_id is not null and e.account in ('provider_clearing', 'provider_fees')
  group by t.listing_id`

const proofs: readonly Proof[] = [
  async (world, deals) => {
    const standings = await readStandings(world, deals)
    return [...standings.values()].flatMap(({ id, status }) => (isEnd(status) ? [] : [`a deal is stuck in ${status}: ${id}`]))
  },
  async ({ yard }) =>
    (await findViolations(yard.owner)).map(
      ({ rule, rows }) => `npm run check: ${rule} ${JSON.stringify(rows.slice(0, 3))} (${rows.length})`,
    ),
  async ({ yard }) => {
    const balance = await compareWithProvider(yard.owner, yard.payment.stripe)
    const cash = await compareCash(yard.owner, yard.payment.stripe)
    return [
      ...(balance.ledger === balance.provider
        ? []
        : [`the clearing account and the provider’s balance differ: ${JSON.stringify(balance)}`]),
      ...(cash.ledger === cash.provider ? [] : [`the ledger’s cash and the provider’s differ: ${JSON.stringify(cash)}`]),
    ]
  },
  (world) =>
    rowsOf(
      world,
      'a deal differs in the ledger and at the provider',
      `select * from (${atProvider}) as provider full join (${inLedger}) as ledger using (listing_id)
       where coalesce(provider.amount, 0) <> coalesce(ledger.amount, 0)`,
    ),
  // what is left of a deal is the platform's share of holding fees, its losses by chargebacks, and what a seller still owes
  (world) =>
    rowsOf(
      world,
      'a deal does not balance in the ledger',
      `select t.listing_id, l.status, e.account, sum(e.amount)::int as amount
       from ledger_transactions t
       join ledger_entries e on e.transaction_id = t.id
       join listings l on l.id = t.listing_id
       where e.account not in ('provider_clearing', 'provider_fees', 'holding_fees', 'seller_receivable', 'chargeback_losses')
       group by t.listing_id, l.status, e.account
       having sum(e.amount) <> 0`,
    ),
  (world) =>
    rowsOf(
      world,
      'a charge was refunded by more than it took',
      `select doc ->> 'id' as id, doc ->> 'amount_captured' as captured, doc ->> 'amount_refunded' as refunded
       from stripe_sandbox.objects
       where kind = 'charge' and (doc ->> 'captured')::boolean and (doc ->> 'amount_refunded')::int > (doc ->> 'amount_captured')::int`,
    ),
  (world) =>
    rowsOf(
      world,
      'a payment was asked for twice at the provider',
      `select doc -> 'metadata' ->> 'payment_id' as payment_id, count(*)::int
       from stripe_sandbox.objects
       where kind = 'payment_intent' and doc -> 'metadata' ->> 'payment_id' is not null
       group by 1
       having count(*) > 1`,
    ),
  (world) =>
    rowsOf(
      world,
      'a sale was charged twice',
      `select doc -> 'metadata' ->> 'award_id' as award_id, doc -> 'metadata' ->> 'purpose' as purpose, count(*)::int
       from stripe_sandbox.objects
       where kind = 'charge' and (doc ->> 'captured')::boolean and doc ->> 'status' = 'succeeded'
         and (doc ->> 'amount_refunded')::int < (doc ->> 'amount_captured')::int
         and doc -> 'metadata' ->> 'award_id' is not null
       group by 1, 2
       having count(*) > 1`,
    ),
  (world) =>
    rowsOf(
      world,
      'money was left under way',
      `select 'payment' as what, id::text, status from sale_payments where status in ('wanted', 'open', 'processing')
       union all
       select 'holding fee', id::text, status from holding_fees where status in ('wanted', 'authorised', 'asks_buyer')
       union all
       select 'refund', id::text, status from refunds where status not in ('succeeded', 'waived')
       union all
       select 'payout', id::text, status from seller_payouts where status in ('wanted', 'waiting')
       union all
       select 'chargeback', id, status from sale_disputes where status = 'open'`,
    ),
  (world) =>
    rowsOf(
      world,
      'a job was given up',
      'select kind, payload, attempts, left(last_error, 200) as error from jobs where failed_at is not null',
    ),
  (world) =>
    rowsOf(world, 'a listing was set aside', 'select listing_id, attempts, left(last_error, 300) as error from set_aside_listings'),
]
