import type { Yard } from '#tests/support/yard.ts'

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** The lives of the listings that faults name, by themselves or by one of their awards: to find out what happened. */
export async function readHistories({ owner }: Yard, faults: readonly string[]): Promise<string[]> {
  const ids = [...new Set(faults.flatMap((fault) => fault.match(uuid) ?? []))]
  const { rows } = await owner.query<{ id: string }>(
    `select id from listings where id = any($1::uuid[])
     union
     select listing_id from awards where id = any($1::uuid[])
     union
     select a.listing_id
     from awards a
     join (
       select id, award_id from sale_payments union all select id, award_id from refunds union all select id, award_id from seller_payouts
     ) as money on money.award_id = a.id
     where money.id = any($1::uuid[])`,
    [ids],
  )
  return Promise.all(rows.map(({ id }) => readHistory(owner, id)))
}

async function readHistory(owner: Yard['owner'], listingId: string): Promise<string> {
  const { rows } = await owner.query<{ at: Date; line: string }>(
    `with sale as (select * from awards where listing_id = $1), line (at, line) as (
       select at, step || ' by ' || actor || ': ' || coalesce(from_status, '') || ' → ' || to_status || ' ' || (details - 'effects' - 'tells' - 'buyer_id')::text
       from listing_events where listing_id = $1
       union all
       select created_at, 'award ' || id || ' ' || status || ' total ' || total from sale
       union all
       select created_at, 'payment ' || id || ' ' || purpose || ' ' || method || ' ' || status || ' ' || received || ' of ' || amount
       from sale_payments where award_id in (select id from sale)
       union all
       select created_at, 'holding fee ' || status || ' ' || amount from holding_fees where award_id in (select id from sale)
       union all
       select created_at, 'refund ' || status || ' ' || amount || ' ' || reason || coalesce(' ' || failure_reason, '') || ' tries ' || tries
       from refunds where award_id in (select id from sale)
       union all
       select created_at, 'payout ' || purpose || ' ' || status || ' ' || amount || ' reversed ' || reversed || ' receivable ' || receivable ||
         ' recovered ' || recovered || ' netted ' || netted
       from seller_payouts where award_id in (select id from sale)
       union all
       select created_at, 'chargeback ' || status || ' ' || amount || ' ' || purpose from sale_disputes where award_id in (select id from sale)
       union all
       select occurred_at, 'ledger ' || t.kind || ' ' || (
         select string_agg(account || ' ' || amount, ', ' order by line) from ledger_entries e where e.transaction_id = t.id
       )
       from ledger_transactions t where t.listing_id = $1
     )
     select at, line from line order by at`,
    [listingId],
  )
  return [`listing ${listingId}`, ...rows.map(({ at, line }) => `  ${at.toISOString()} ${line}`)].join('\n')
}
