// The connections of one process, as DATABASE_CONNECTIONS states them: who places a bid, closes a listing, reads a page or searches
// does not wait for the others. 30 by default, so that three processes fit into a PostgreSQL with its default of 100.

/** The wake-up calls of jobs and of live prices. */
const LISTENERS = 2
const least = { bids: 2, clock: 2, settings: 1, search: 2, map: 1, pages: 4 }
export const LEAST_CONNECTIONS = LISTENERS + Object.values(least).reduce((sum, count) => sum + count)

export type ConnectionShares = Record<keyof typeof least, number>

const LEAST_OF_SANDBOX_PROVIDER = 3
const MOST_OF_SANDBOX_PROVIDER = 8
/** With the sandbox's payment provider, which runs in the same process. */
export const LEAST_SANDBOX_CONNECTIONS = LEAST_CONNECTIONS + LEAST_OF_SANDBOX_PROVIDER

/** Of the process's connections, those of the sandbox's payment provider. Few do: it answers one request after the other. */
export const sandboxProviderShare = (budget: number): number =>
  Math.min(MOST_OF_SANDBOX_PROVIDER, Math.max(LEAST_OF_SANDBOX_PROVIDER, Math.floor(budget * 0.1)))

/** Of 30: 4 for bids, 4 for the clock, 2 for settings, 4 for searches, 2 for the map, 12 for pages and jobs (9 beside the sandbox's provider). */
export function shareConnections(budgetInAll: number, hasSandboxProvider: boolean): ConnectionShares {
  const budget = budgetInAll - (hasSandboxProvider ? sandboxProviderShare(budgetInAll) : 0)
  const share = (of: keyof typeof least, part: number) => Math.max(least[of], Math.floor((budget - LISTENERS) * part))
  const small = {
    bids: share('bids', 0.16),
    clock: Math.min(4, share('clock', 0.16)),
    settings: share('settings', 0.08),
    search: share('search', 0.16),
    map: share('map', 0.08),
  }
  const taken = Object.values(small).reduce((sum, count) => sum + count)
  return { ...small, pages: budget - LISTENERS - taken }
}
