import { queryOptions, useQuery } from '@tanstack/react-query'
import { sentences } from '#contract/values/sentences.ts'
import { call } from '#web/api/api.ts'
import { notify, saySuccess } from '#web/api/notices.ts'
import { queryClient } from '#web/api/query-client.ts'
import { CardKeeper } from '#web/bank-card/card-keeper.tsx'
import { renew, untilKnown } from '#web/bank-card/confirmation.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { FailedPart } from '#web/ui/state.tsx'

const holdingFeeCardQuery = queryOptions({
  queryKey: ['holding-fee-card'],
  queryFn: async ({ signal }) => (await call('GET /api/v1/stripe/holding-fee-payment-method', { signal })).data,
})

/** The card that holding fees are taken from: without one nobody bids (RULES §3). */
export function HoldingFeeCard() {
  const query = useQuery(holdingFeeCardQuery)
  const card = query.data
  if (card === undefined) {
    if (query.error) return <FailedPart of={query} />
    return (
      <div role="status" className="grid gap-4">
        <span className="sr-only">Loading the card…</span>
        <Skeleton className="h-5 w-full" />
        <Skeleton className="h-11 w-32" />
      </div>
    )
  }
  // the server asks the provider itself; a provider that does not answer is asked again
  const keep = async () => {
    const isKnown = await untilKnown(async () => {
      const { data } = await call('GET /api/v1/stripe/holding-fee-payment-method')
      if (data) queryClient.setQueryData(holdingFeeCardQuery.queryKey, data)
      return data !== null
    })
    if (isKnown) saySuccess(sentences.success, sentences.cardAdded)
    else notify({ type: 'success', title: 'Your card is being confirmed', body: 'Stripe has it, and tells us in a moment.' })
    await renew().catch(() => null) // what is shown is asked for again at the next visit
  }
  return (
    <CardKeeper
      name="holding-fee"
      card={card}
      empty={<p className="text-muted">No card yet. Save one to bid.</p>}
      newSecret={async () => (await call('POST /api/v1/stripe/create-holding-fee-setup-intent')).data.client_secret}
      keep={keep}
    />
  )
}
