export type Intent = { form: 'payment' | 'setup'; id: string }

// SPEC §4: the prefix of the client secret says which form it is for
const forms: Record<string, Intent['form']> = { pi: 'payment', seti: 'setup' }

/** What a client secret belongs to; nothing where it is neither a payment's nor a setup's. */
export function intentOf(clientSecret: string): Intent | undefined {
  const [id = ''] = clientSecret.split('_secret_')
  const form = forms[id.split('_')[0] ?? '']
  return form && { form, id }
}
