import { randomBytes } from 'node:crypto'
import { demoPassword } from '#database/demo/users.ts'
import type { Client } from '#tests/support/client.ts'
import type { Yard } from '#tests/support/yard.ts'

export const goodPassword = 'Copper-Bright-7'

/** A sign-up form that is right in every field. */
export function signUpForm(changes: Record<string, unknown> = {}) {
  return {
    first_name: 'Jo',
    surname: 'Smith',
    business_type: 'company',
    business_activity: 'scrap_metal_dealer',
    address: {
      address_line_1: '12 Foundry Lane',
      address_line_2: null,
      town: 'Manchester',
      county: 'England',
      post_code: 'M1 4BT',
      latitude: 53.478,
      longitude: -2.235,
      set_default_address: true,
      set_company_address: true,
    },
    profile: { date_of_birth: '1985-05-20', company_name: 'Smith Metals Ltd', contact_number: '0161 496 0000', terms_accepted: true },
    email: `jo-${randomBytes(5).toString('hex')}@example.test`,
    password: goodPassword,
    password_confirmation: goodPassword,
    vat_number: 'GB123456789',
    not_vat_registered: false,
    ...changes,
  }
}

export async function signUp(yard: Yard, changes: Record<string, unknown> = {}): Promise<{ client: Client; email: string; id: string }> {
  const client = yard.client()
  const form = signUpForm(changes)
  const answer = await client.post('/api/v1/auth/register/web', form)
  if (answer.status !== 201) throw new Error(`sign-up failed: ${JSON.stringify(answer.body)}`)
  return { client, email: form.email, id: answer.body.data.user.id }
}

export type DemoName = 'seller' | 'buyer' | 'rival' | 'basic' | 'trade' | 'new' | 'temp' | 'admin' | 'admin2' | 'support'

/** A demo user, logged in. */
export async function demoUser(yard: Yard, name: DemoName): Promise<Client> {
  const client = yard.client()
  const answer = await client.logIn(`${name}@yardbid.test`, demoPassword)
  if (answer.status !== 200) throw new Error(`${name} could not log in: ${JSON.stringify(answer.body)}`)
  return client
}

/** The path with its token in the newest mail to somebody. */
export async function linkInMail(yard: Yard, to: string, page: string): Promise<string> {
  await yard.jobsDone()
  const [mail] = (await yard.outbox.list(to)).filter(({ text }) => text.includes(page))
  const token = mail && new RegExp(`${page}\\?token=([\\w-]+)`).exec(mail.text)?.[1]
  if (!token) throw new Error(`no mail to ${to} leads to ${page}`)
  return token
}
