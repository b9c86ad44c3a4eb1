import { z } from 'zod'
import { PROVIDER_TIMEOUT_MS } from '#contract/values/limits.ts'

export type VatAnswer =
  /** The reference proves that the register was asked; it is given to those who tell it their own number. */
  { outcome: 'valid'; reference: string | null; registeredName: string } | { outcome: 'failed' }

export type VatRegister = {
  /** Whether a number is registered; undefined where there is no register to ask. */
  check(vatNumber: string): Promise<VatAnswer | undefined>
}

export class VatRegisterUnavailable extends Error {
  constructor(cause: unknown) {
    super('the VAT register did not answer', { cause })
    this.name = 'VatRegisterUnavailable'
  }
}

type Credentials = { url: string; clientId: string; clientSecret: string; ownNumber: string | undefined }

const token = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() })
const found = z.object({ target: z.object({ name: z.string() }), consultationNumber: z.string().optional() })

// a token that is about to end is not used any more
const SPARE_MS = 60_000

/** HMRC's register of UK VAT numbers. Its address is fixed by configuration, and no redirect is followed. */
export function hmrcVatRegister({ url, clientId, clientSecret, ownNumber }: Credentials): VatRegister {
  let known: { value: string; until: number } | undefined

  async function authorisation(): Promise<string> {
    if (!known || performance.now() >= known.until) {
      const response = await ask(`${url}/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }),
      })
      const { access_token, expires_in } = token.parse(await response.json())
      known = { value: `Bearer ${access_token}`, until: performance.now() + expires_in * 1_000 - SPARE_MS }
    }
    return known.value
  }

  async function look(vatNumber: string): Promise<VatAnswer | undefined> {
    const number = digitsOf(vatNumber)
    // government departments and health authorities have no number in the register
    if (!number) return undefined
    const asker = digitsOf(ownNumber ?? '')
    const address = ['organisations/vat/check-vat-number/lookup', number, ...(asker ? [asker] : [])].join('/')
    const headers = { accept: 'application/vnd.hmrc.2.0+json', authorization: await authorisation() }
    const response = await ask(`${url}/${address}`, { headers }, [404, 401])
    if (response.status === 401) known = undefined
    if (response.status === 404) return notFoundAnswer(await response.json())
    const { target, consultationNumber } = found.parse(await response.json())
    return { outcome: 'valid', reference: consultationNumber ?? null, registeredName: target.name }
  }

  return {
    check: (vatNumber) =>
      look(vatNumber).catch((cause: unknown) => {
        throw new VatRegisterUnavailable(cause)
      }),
  }
}

const digitsOf = (vatNumber: string) => /^(?:GB|XI)?(\d{9}|\d{12})$/.exec(vatNumber)?.[1]

/** An address that is not there is a 404 too: only the register's own word counts. */
function notFoundAnswer(body: unknown): VatAnswer {
  z.object({ code: z.literal('NOT_FOUND') }).parse(body)
  return { outcome: 'failed' }
}

async function ask(url: string, init: RequestInit, expected: readonly number[] = []): Promise<Response> {
  const response = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(PROVIDER_TIMEOUT_MS) })
  if (!response.ok && !expected.includes(response.status)) throw new Error(`answered ${response.status}`)
  return response
}

/** Outside the sandbox without VAT_API_CLIENT_ID: numbers count as unchecked. */
export const noVatRegister: VatRegister = { check: async () => undefined }
