/** What the provider made of a card. */
export type CardOutcome =
  | { end: 'confirmed'; paymentMethod: string | null }
  | { end: 'refused'; field: CardField; message: string }
  /** The bank wants to see its customer, on a page of its own. */
  | { end: 'authenticate'; url: string }

export type CardField = 'number' | 'expiry' | 'cvc'

/** A payment or setup intent, as far as a card form cares. */
export type IntentState = {
  status: string
  payment_method?: string | { id: string } | null
  next_action?: { redirect_to_url?: { url: string | null } } | null
  last_payment_error?: ProviderError | null
  last_setup_error?: ProviderError | null
}

export type ProviderError = {
  code?: string
  message?: string
  payment_method?: { id: string } | null
  payment_intent?: IntentState
  setup_intent?: IntentState
}

const done = ['succeeded', 'processing', 'requires_capture']

const fields: Record<string, CardField> = {
  expired_card: 'expiry',
  invalid_expiry_month: 'expiry',
  invalid_expiry_year: 'expiry',
  incorrect_cvc: 'cvc',
  invalid_cvc: 'cvc',
}

export function outcomeOfIntent(intent: IntentState): CardOutcome {
  if (done.includes(intent.status)) return { end: 'confirmed', paymentMethod: idOf(intent.payment_method) }
  const url = intent.status === 'requires_action' && intent.next_action?.redirect_to_url?.url
  if (url) return { end: 'authenticate', url }
  return refused(intent.last_payment_error ?? intent.last_setup_error ?? {})
}

/** Confirmed twice, because the first answer was lost: the intent that comes with the refusal says so. */
export function outcomeOfError(error: ProviderError): CardOutcome {
  const intent = error.payment_intent ?? error.setup_intent
  return intent && done.includes(intent.status) ? outcomeOfIntent(intent) : refused(error)
}

/** Of Stripe's own script, which answers with the one or the other. */
export const outcomeOfAnswer = (intent: object | undefined, error: object | undefined): CardOutcome =>
  intent ? outcomeOfIntent(intent as IntentState) : outcomeOfError(error ?? {})

const refused = ({ code, message }: ProviderError): CardOutcome => ({
  end: 'refused',
  field: fields[code ?? ''] ?? 'number',
  message: message || 'This card could not be confirmed. Try again, or use another card.',
})

/** A card that was declined is taken off its intent, and named by the error. */
export const heldCardOf = ({ payment_method, last_payment_error }: IntentState): string | null =>
  idOf(payment_method) ?? last_payment_error?.payment_method?.id ?? null

const idOf = (given: IntentState['payment_method']) => (typeof given === 'string' ? given : (given?.id ?? null))

export type Intent = { form: 'payment' | 'setup'; id: string }

// SPEC §4: the prefix of the client secret says which form it is for
const forms: Record<string, Intent['form']> = { pi: 'payment', seti: 'setup' }

/** What a client secret belongs to; nothing where it is neither a payment's nor a setup's. */
export function intentOf(clientSecret: string): Intent | undefined {
  const [id = ''] = clientSecret.split('_secret_')
  const form = forms[id.split('_')[0] ?? '']
  return form && { form, id }
}
