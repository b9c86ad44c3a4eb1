import { call } from '#web/api/api.ts'
import { leaveFor } from '#web/bank-card/bank-page.ts'

const links = {
  account: 'POST /api/v1/stripe/create-account-link',
  login: 'POST /api/v1/stripe/create-login-link',
} as const

export type ProviderPage = keyof typeof links

/** Asks the server for a link to the provider's own pages and follows it. */
export async function goToProvider(to: ProviderPage, onBack = () => {}): Promise<void> {
  const { data } = await call(links[to])
  leaveFor(data.url, onBack)
}
