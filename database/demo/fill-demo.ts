import pg from 'pg'
import { insertChats } from '#database/demo/chats/insert-chats.ts'
import { demoChats } from '#database/demo/chats/threads.ts'
import type { DemoPerson } from '#database/demo/listing.ts'
import { insertDemoListings } from '#database/demo/insert-listings.ts'
import { insertDemoNotifications } from '#database/demo/notifications.ts'
import { insertDemoPhotos, type StorePhoto } from '#database/demo/insert-photos.ts'
import { insertDemoMarket } from '#database/demo/insert-market.ts'
import { tradeUsers } from '#database/demo/tradespeople.ts'
import { demoPassword, demoUsers, merchantUsers, type DemoUser } from '#database/demo/users.ts'

type Means = {
  hashPassword: (password: string) => Promise<string>
  /** Without it the listings have no photos: tests that look at none need none. */
  storePhoto?: StorePhoto
}

/** Fills an empty sandbox, all or nothing; a sandbox that has users is left as it is. */
export async function fillDemo(url: string, { hashPassword, storePhoto }: Means): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {}) // a connection that breaks fails its query; without a listener it would end the process
  await client.connect()
  try {
    await client.query('begin')
    await client.query('lock table users in share row exclusive mode')
    const { rowCount } = await client.query('select from users limit 1')
    if (rowCount === 0) {
      await client.query(
        `insert into settings (key, value) values ('trial_available_until', to_jsonb(to_char((app_now() + interval '90 days') at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))) on conflict do nothing`,
      )
      const people = new Map<string, DemoPerson>()
      for (const user of demoUsers) {
        const person = await insertDemoUser(client, user, await hashPassword(demoPassword))
        people.set(user.email.split('@')[0] ?? '', person)
      }
      // these logins are not published, so one hash serves them all
      const passwordHash = await hashPassword(demoPassword)
      for (const [name, user] of [...merchantUsers, ...tradeUsers]) people.set(name, await insertDemoUser(client, user, passwordHash))
      const listings = await insertDemoListings(client, people)
      await insertChats(client, demoChats)
      await insertDemoMarket(client, people, storePhoto)
      await insertDemoNotifications(client, people)
      if (storePhoto) await insertDemoPhotos(client, listings, storePhoto)
    }
    await client.query('commit')
  } finally {
    await client.end()
  }
}

async function insertDemoUser(client: pg.Client, user: DemoUser, passwordHash: string): Promise<DemoPerson> {
  const isNew = user.is === 'new'
  const { rows } = await client.query<{ id: string }>(
    `insert into users (email, email_verified_at, password_hash, first_name, surname, business_type, business_activity, company_name, date_of_birth, contact_number,
       vat_number, not_vat_registered, terms_accepted_at, role, tier, subscription_status, payment_account_completed, payment_account_verified, onboarding_stage, opened_at,
       temporary_password_expires_at, temporary_logins_left, payment_account_id, holding_fee_card, licence_status, licence_expires_at, vat_status,
       deferred_days, deferred_limit)
     values ($1, app_now(), $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, app_now(), $12, $13, $14, $15, $18, $16, app_now(),
       case when $17 then app_now() + interval '10 years' end, case when $17 then 1000000 else 0 end,
       case when $15 then 'acct_demo_' || $1 end, case when $15 then 'pm_demo' end, case when $15 then 'approved' else 'none' end,
       case when $15 then date_trunc('day', app_now()) + interval '2 years' end, $19, $20, $21)
     returning id`,
    [
      user.email,
      passwordHash,
      user.first_name,
      user.surname,
      user.vat_number ? 'company' : 'individual',
      user.business_activity,
      user.company_name,
      user.date_of_birth,
      user.contact_number,
      user.vat_number,
      user.vat_number === null,
      user.is === 'admin' || user.is === 'support' ? user.is : null,
      user.tier,
      user.tier === 'full' ? 'active' : null,
      !isNew,
      isNew ? 0 : null,
      user.is === 'temporary',
      !isNew && user.is !== 'unverified',
      user.is === 'vat_failed' ? 'failed' : user.vat_number ? 'valid' : 'unchecked',
      user.pays_later?.days ?? null,
      user.pays_later?.limit ?? null,
    ],
  )
  const [line, town, country, postCode, latitude, longitude] = user.address
  await client.query(
    `insert into addresses (user_id, address_line_1, town, county, country, post_code, latitude, longitude, is_default_address, is_company_address)
     values ($1, $2, $3, $4, $4, $5, $6, $7, true, true)`,
    [rows[0]?.id, line, town, country, postCode, latitude, longitude],
  )
  await client.query(
    `insert into merchant_documents (user_id, kind, number, council, status, expires_at, reviewed_at)
     select id, 'scrap_dealer_licence', 'SMD/' || (100000 + abs(hashtext(email)) % 900000), $2 || ' Council', 'approved', licence_expires_at, app_now()
     from users
     where id = $1 and licence_status = 'approved'`,
    [rows[0]?.id, town],
  )
  if (user.pays_later)
    await client.query(
      `insert into audit_entries (actor, actor_role, kind, act, subject_user_id, details) values ($1, 'command', 'act', 'grant-deferred-terms', $2, $3)`,
      ['demo data', rows[0]?.id, JSON.stringify(user.pays_later)],
    )
  return { id: rows[0]?.id ?? '', address: { line, town, country, postCode, latitude, longitude } }
}
