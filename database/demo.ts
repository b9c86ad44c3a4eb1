import pg from 'pg'
import type { Tier } from '#contract/values/permissions.ts'
import type { BusinessActivity } from '#contract/values/business.ts'
import type { DemoPerson } from '#database/demo-listing.ts'
import { insertDemoListings } from '#database/demo-listings.ts'
import { demoMerchants } from '#database/demo-merchants.ts'
import { insertDemoPhotos, type StorePhoto } from '#database/demo-photos.ts'

export const demoPassword = 'Yardbid-demo-1'

type DemoUser = {
  email: string
  about: string
  first_name: string
  surname: string
  company_name: string
  business_activity: BusinessActivity
  tier: Tier
  date_of_birth: string
  contact_number: string
  vat_number: string | null
  address: [line: string, town: string, country: string, postCode: string, latitude: number, longitude: number]
  is?: 'new' | 'temporary' | 'admin' | 'unverified' | 'vat_failed'
}

export const demoUsers: readonly DemoUser[] = [
  {
    email: 'seller@yardbid.test',
    about: 'sells scrap (full)',
    first_name: 'Sarah',
    surname: 'Whitfield',
    company_name: 'Whitfield Metals Ltd',
    business_activity: 'scrap_metal_dealer',
    tier: 'full',
    date_of_birth: '1979-04-12',
    contact_number: '0114 496 0101',
    vat_number: 'GB362718154',
    address: ['Unit 4, Attercliffe Road', 'Sheffield', 'England', 'S9 3TY', 53.3937, -1.4332],
  },
  {
    email: 'buyer@yardbid.test',
    about: 'buys scrap (full)',
    first_name: 'Imran',
    surname: 'Sheikh',
    company_name: 'Tyseley Recycling Ltd',
    business_activity: 'metal_processor',
    tier: 'full',
    date_of_birth: '1984-09-30',
    contact_number: '0121 496 0182',
    vat_number: 'GB294817036',
    address: ['21 Redfern Road', 'Birmingham', 'England', 'B11 2BE', 52.4552, -1.8402],
  },
  {
    email: 'rival@yardbid.test',
    about: 'bids against buyer (full)',
    first_name: 'Gareth',
    surname: 'Pugh',
    company_name: 'Pugh Non-Ferrous',
    business_activity: 'scrap_metal_dealer',
    tier: 'full',
    date_of_birth: '1971-01-23',
    contact_number: '029 2018 0144',
    vat_number: 'GB518204793',
    address: ['Roath Dock Road', 'Cardiff', 'Wales', 'CF10 4ED', 51.4634, -3.1555],
  },
  {
    email: 'basic@yardbid.test',
    about: 'without a subscription (basic)',
    first_name: 'Moira',
    surname: 'Campbell',
    company_name: 'Clydeside Skips',
    business_activity: 'skip_hire',
    tier: 'basic',
    date_of_birth: '1988-06-05',
    contact_number: '0141 496 0117',
    vat_number: 'GB407126985',
    address: ['88 Dunn Street', 'Glasgow', 'Scotland', 'G40 3PE', 55.8462, -4.2205],
  },
  {
    email: 'trade@yardbid.test',
    about: 'an electrician (tier seller)',
    first_name: 'Tom',
    surname: 'Ashworth',
    company_name: 'Ashworth Electrical',
    business_activity: 'electrician',
    tier: 'seller',
    date_of_birth: '1992-11-17',
    contact_number: '0161 496 0163',
    vat_number: null,
    address: ['9 Jersey Street', 'Manchester', 'England', 'M4 6JA', 53.4841, -2.2277],
  },
  {
    email: 'new@yardbid.test',
    about: 'signed up, nothing else done',
    first_name: 'Priya',
    surname: 'Nair',
    company_name: 'Nair Demolition',
    business_activity: 'demolition',
    tier: 'basic',
    date_of_birth: '1990-02-08',
    contact_number: '0117 496 0190',
    vat_number: 'GB618240357',
    address: ['Feeder Road', 'Bristol', 'England', 'BS2 0TQ', 51.4475, -2.5688],
    is: 'new',
  },
  {
    email: 'temp@yardbid.test',
    about: 'must replace a temporary password',
    first_name: 'Lewis',
    surname: 'Grant',
    company_name: 'Grant Motor Salvage',
    business_activity: 'motor_salvage',
    tier: 'full',
    date_of_birth: '1976-12-01',
    contact_number: '0113 496 0126',
    vat_number: 'GB729138045',
    address: ['Cross Green Lane', 'Leeds', 'England', 'LS9 0DJ', 53.7891, -1.5217],
    is: 'temporary',
  },
  {
    email: 'admin@yardbid.test',
    about: 'administrator',
    first_name: 'Helen',
    surname: 'Marsh',
    company_name: 'Yardbid',
    business_activity: 'other',
    tier: 'full',
    date_of_birth: '1982-07-19',
    contact_number: '020 7946 0100',
    vat_number: 'GB835092614',
    address: ['1 Wharf Road', 'London', 'England', 'N1 7GR', 51.5312, -0.0977],
    is: 'admin',
  },
]

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
      // nobody is told these logins: one hash serves them all
      const passwordHash = await hashPassword(demoPassword)
      for (const [name, user] of merchants) people.set(name, await insertDemoUser(client, user, passwordHash))
      const listings = await insertDemoListings(client, people)
      if (storePhoto) await insertDemoPhotos(client, listings, storePhoto)
    }
    await client.query('commit')
  } finally {
    await client.end()
  }
}

const merchants = Object.entries(demoMerchants).map(([name, merchant], nth): [string, DemoUser] => [
  name,
  {
    ...merchant,
    email: `${name}@yardbid.test`,
    about: 'another merchant',
    tier: 'full',
    date_of_birth: '1980-01-01',
    vat_number: 'hasFailedVat' in merchant ? 'GB410207300' : `GB${410_207_316 + nth * 70_913}`,
    ...('isUnverified' in merchant && { is: 'unverified' }),
    ...('hasFailedVat' in merchant && { is: 'vat_failed' }),
  },
])

async function insertDemoUser(client: pg.Client, user: DemoUser, passwordHash: string): Promise<DemoPerson> {
  const isNew = user.is === 'new'
  const { rows } = await client.query<{ id: string }>(
    `insert into users (email, email_verified_at, password_hash, first_name, surname, business_type, business_activity, company_name, date_of_birth, contact_number,
       vat_number, not_vat_registered, terms_accepted_at, is_admin, tier, subscription_status, payment_account_completed, payment_account_verified, onboarding_stage, opened_at,
       temporary_password_expires_at, temporary_logins_left, payment_account_id, holding_fee_card, licence_status, licence_expires_at, vat_status)
     values ($1, app_now(), $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, app_now(), $12, $13, $14, $15, $18, $16, app_now(),
       case when $17 then app_now() + interval '10 years' end, case when $17 then 1000000 else 0 end,
       case when $15 then 'acct_demo_' || $1 end, case when $15 then 'pm_demo' end, case when $15 then 'approved' else 'none' end,
       case when $15 then date_trunc('day', app_now()) + interval '2 years' end, $19)
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
      user.is === 'admin',
      user.tier,
      user.tier === 'full' ? 'active' : null,
      !isNew,
      isNew ? 0 : null,
      user.is === 'temporary',
      !isNew && user.is !== 'unverified',
      user.is === 'vat_failed' ? 'failed' : user.vat_number ? 'valid' : 'unchecked',
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
  return { id: rows[0]?.id ?? '', address: { line, town, country, postCode, latitude, longitude } }
}
