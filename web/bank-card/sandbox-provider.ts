import {
  intentOf,
  outcomeOfError,
  outcomeOfIntent,
  type CardOutcome,
  type Intent,
  type IntentState,
  type ProviderError,
} from '#web/bank-card/card-outcome.ts'

// What Stripe.js does in a browser, spoken to the sandbox: the card goes from here to the provider and nowhere else.

export type Sandbox = { publishable_key: string; api_base: string }
export type TypedCard = { number: string; exp_month: string; exp_year: string; cvc: string }

const ANSWER_WITHIN_MS = 20_000
const folders: Record<Intent['form'], string> = { payment: 'payment_intents', setup: 'setup_intents' }

export function confirmCard(sandbox: Sandbox, clientSecret: string, card: TypedCard, return_url: string): Promise<CardOutcome> {
  const body = new URLSearchParams({ client_secret: clientSecret, return_url, 'payment_method_data[type]': 'card' })
  for (const [name, value] of Object.entries(card)) body.set(`payment_method_data[card][${name}]`, value)
  return ask(sandbox, clientSecret, '/confirm', { method: 'POST', body })
}

/** With a card that the provider holds. */
export const confirmHeldCard = (sandbox: Sandbox, clientSecret: string, payment_method: string, return_url: string): Promise<CardOutcome> =>
  ask(sandbox, clientSecret, '/confirm', {
    method: 'POST',
    body: new URLSearchParams({ client_secret: clientSecret, payment_method, return_url }),
  })

/** How an intent stands, for a page that the provider's own page came back to. */
export const lookAgain = (sandbox: Sandbox, clientSecret: string): Promise<CardOutcome> =>
  ask(sandbox, clientSecret, `?${new URLSearchParams({ client_secret: clientSecret })}`, {})

/** The intent as it stands; nothing where the provider does not answer. */
export const readIntent = async (sandbox: Sandbox, clientSecret: string): Promise<IntentState | undefined> =>
  fetchIntent(sandbox, clientSecret, `?${new URLSearchParams({ client_secret: clientSecret })}`, {}).catch(() => undefined)

async function ask(sandbox: Sandbox, clientSecret: string, path: string, init: RequestInit): Promise<CardOutcome> {
  try {
    const answer = await fetchIntent(sandbox, clientSecret, path, init)
    return answer.error ? outcomeOfError(answer.error) : outcomeOfIntent(answer)
  } catch {
    return { end: 'refused', field: 'number', message: 'Stripe does not answer. Try again: nothing is taken twice.' }
  }
}

async function fetchIntent({ api_base, publishable_key }: Sandbox, clientSecret: string, path: string, init: RequestInit) {
  const intent = intentOf(clientSecret)
  if (!intent) throw new Error('this client secret is of neither a payment nor a setup')
  const response = await fetch(`${api_base}/v1/${folders[intent.form]}/${intent.id}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${publishable_key}` },
    credentials: 'omit',
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  })
  return (await response.json()) as IntentState & { error?: ProviderError }
}
