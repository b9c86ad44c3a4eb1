import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { hashPassword } from '#server/features/account/passwords.ts'
import { connected, newSession } from '#tests/browser/support/database.ts'
import { completeAccount } from '#tests/browser/support/provider.ts'
import { enter, withCsrf } from '#tests/browser/support/session.ts'
import { expect } from '#tests/browser/support/visit.ts'
import { newMerchant } from '#tests/support/auctions/auction.ts'
import { goodPassword, signUpForm } from '#tests/support/people.ts'

export const newEmail = () => `browser-${randomBytes(5).toString('hex')}@example.test`

type Account = {
  isOnboarded: boolean
  /** Whether the payment provider knows the account too: for tests that go to the provider's pages. */
  isAtProvider: boolean
}

/**
 * An account of this test's own, with which the page is then logged in. Written as rows: a sign-up hashes a password and sends
 * jobs to the worker, which costs more than most tests. The tests of sign-up use the page.
 */
export async function ownAccount(page: Page, { isOnboarded = true, isAtProvider = false }: Partial<Account> = {}): Promise<string> {
  const email = newEmail()
  const cookies = await withCsrf(await insertAccount(email, { isOnboarded, isAtProvider }))
  if (isAtProvider) await completeAccount(email, cookies)
  await enter(page, cookies)
  return email
}

/** The account page of somebody of this test's own, loaded. */
export async function openProfile(page: Page): Promise<string> {
  const email = await ownAccount(page)
  await page.goto('/account/view-edit')
  await expect(page.getByLabel('First name')).toHaveValue('Jo')
  return email
}

// hashed once per test process
const passwordHash = hashPassword(goodPassword)

/** As a sign-up leaves it; once onboarded with a payment account that is complete and verified. Answers the token of a session. */
const insertAccount = (email: string, { isOnboarded, isAtProvider }: Account): Promise<string> =>
  connected(async (client) => {
    const isVerified = isOnboarded && !isAtProvider
    const { first_name, surname, business_activity, vat_number, not_vat_registered, profile, address } = signUpForm()
    const id = await newMerchant(client, {
      email,
      password_hash: await passwordHash,
      first_name,
      surname,
      business_activity,
      vat_number,
      not_vat_registered,
      vat_status: 'valid',
      company_name: profile.company_name,
      date_of_birth: profile.date_of_birth,
      contact_number: profile.contact_number,
      tier: 'basic',
      holding_fee_card: null,
      licence_status: 'none',
      ...(!isOnboarded && { email_verified_at: null }),
      onboarding_stage: isOnboarded ? null : 0,
      payment_account_completed: isVerified,
      payment_account_verified: isVerified,
      payment_account_id: isVerified ? `acct_${email}` : null,
    })
    await client.query(
      `insert into addresses
         (user_id, address_line_1, town, county, post_code, latitude, longitude, is_default_address, is_company_address)
       values ($1, $2, $3, $4, $5, $6, $7, true, true)`,
      [id, address.address_line_1, address.town, address.county, address.post_code, address.latitude, address.longitude],
    )
    return newSession(client, id)
  })
