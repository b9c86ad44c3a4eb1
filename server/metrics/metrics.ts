import { counter, histogram } from '#server/metrics/exposition.ts'

// What this process counts while it works. One process has one set, whoever counts: every process of a deployment is scraped by itself.

const secondsUpTo10 = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Streams of live prices are not among them: they last for hours, and `yardbid_live_connections` counts them. */
export const requestSeconds = histogram({
  name: 'yardbid_http_request_duration_seconds',
  help: 'Time to answer a request, by the pattern of its route and the class of its status.',
  labels: ['method', 'route', 'status'],
  buckets: secondsUpTo10,
})

export const bidsDecided = counter({
  name: 'yardbid_bids_total',
  help: 'Bids by what became of them; failed: the batch could not be committed and the bidder was told to try again.',
  labels: ['outcome'],
})

export const batchSize = histogram({
  name: 'yardbid_bid_batch_size',
  help: 'Bids that were decided together in one transaction.',
  labels: [],
  buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500],
})

export const batchSeconds = histogram({
  name: 'yardbid_bid_batch_duration_seconds',
  help: 'Time from taking a connection to the commit of a batch of bids.',
  labels: [],
  buckets: [0.001, 0.0025, ...secondsUpTo10],
})

export const closingLagSeconds = histogram({
  name: 'yardbid_listing_closing_lag_seconds',
  help: 'Time from the end of a listing to the commit that closed it.',
  labels: [],
  buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 60, 600],
})

export const jobsRun = counter({
  name: 'yardbid_jobs_run_total',
  help: 'Runs of jobs by kind and outcome; failed runs are repeated later, given_up ones are not.',
  labels: ['kind', 'outcome'],
})

export const providerSeconds = histogram({
  name: 'yardbid_provider_call_duration_seconds',
  help: 'Time that a call to an outside provider took; refused: it answered that it will not, failed: no answer or a fault.',
  labels: ['provider', 'outcome'],
  buckets: secondsUpTo10,
})

/** In the order in which they are shown. */
export const counted = [requestSeconds, bidsDecided, batchSize, batchSeconds, closingLagSeconds, jobsRun, providerSeconds] as const

export type ProviderOutcome = 'ok' | 'refused' | 'failed'

/** Measures a call, by what `outcomeOf` makes of its answer; a call that throws has failed. */
export async function measureCall<T>(provider: string, call: () => Promise<T>, outcomeOf: (answer: T) => ProviderOutcome): Promise<T> {
  const began = performance.now()
  let outcome: ProviderOutcome = 'failed'
  try {
    const answer = await call()
    outcome = outcomeOf(answer)
    return answer
  } finally {
    providerSeconds.observe({ provider, outcome }, (performance.now() - began) / 1_000)
  }
}

type Method = (...given: never[]) => Promise<unknown>

/** The same provider, with these of its calls measured. */
export function measured<Name extends string, Provider extends Record<Name, Method>>(
  provider: string,
  calls: Provider,
  names: readonly Name[],
): Provider {
  const timed = names.map((name) => [
    name,
    (...given: never[]) =>
      measureCall(
        provider,
        () => calls[name](...given),
        () => 'ok',
      ),
  ])
  return { ...calls, ...Object.fromEntries(timed) }
}
