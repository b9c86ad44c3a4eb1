import { queryClient } from '#web/api/query-client.ts'
import { refreshUser, tellOtherTabs } from '#web/api/session.ts'

// After the provider has confirmed a card: our own server learns of it, and so does every page.

const EVERY_MS = 700
const FOR_MS = 9_000

/**
 * The provider tells our server of a confirmation a moment after it told the browser: asks until the server knows, for a few
 * seconds. A question that fails is asked again.
 */
export async function untilKnown(isKnown: () => Promise<boolean>): Promise<boolean> {
  const end = performance.now() + FOR_MS
  do {
    if (await isKnown().catch(() => false)) return true
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
  } while (performance.now() < end)
  return false
}

/** Permissions follow the tier at the next request: the user, and everything that was shown for the old one, is asked for anew. */
export async function renew(): Promise<void> {
  await refreshUser()
  tellOtherTabs('logged_in')
  await queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'config' && queryKey[0] !== 'user' })
}
