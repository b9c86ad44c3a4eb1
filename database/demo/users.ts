import type { BusinessActivity } from '#contract/values/business.ts'
import type { Tier } from '#contract/values/permissions.ts'
import { demoMerchants } from '#database/demo/merchants.ts'

export const demoPassword = 'Yardbid-demo-1'

export type DemoUser = {
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
  /** Deferred terms: so many days, up to so many pence. */
  pays_later?: { days: number; limit: number }
  is?: 'new' | 'temporary' | 'admin' | 'support' | 'unverified' | 'vat_failed'
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
    about: 'buys scrap, may pay later (full)',
    first_name: 'Imran',
    surname: 'Sheikh',
    company_name: 'Tyseley Recycling Ltd',
    business_activity: 'metal_processor',
    tier: 'full',
    date_of_birth: '1984-09-30',
    contact_number: '0121 496 0182',
    vat_number: 'GB294817036',
    pays_later: { days: 14, limit: 10_000_00 },
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
  {
    email: 'admin2@yardbid.test',
    about: 'a second administrator, for what needs two',
    first_name: 'Owen',
    surname: 'Fielding',
    company_name: 'Yardbid',
    business_activity: 'other',
    tier: 'full',
    date_of_birth: '1986-03-27',
    contact_number: '020 7946 0101',
    vat_number: 'GB835092614',
    address: ['1 Wharf Road', 'London', 'England', 'N1 7GR', 51.5312, -0.0977],
    is: 'admin',
  },
  {
    email: 'support@yardbid.test',
    about: 'sees the back office, moves no money',
    first_name: 'Ruth',
    surname: 'Adeyemi',
    company_name: 'Yardbid',
    business_activity: 'other',
    tier: 'full',
    date_of_birth: '1991-10-14',
    contact_number: '020 7946 0102',
    vat_number: 'GB835092614',
    address: ['1 Wharf Road', 'London', 'England', 'N1 7GR', 51.5312, -0.0977],
    is: 'support',
  },
]

/** The other merchants of the demo, whose logins are not documented: name → user. */
export const merchantUsers = Object.entries(demoMerchants).map(([name, merchant], nth): [string, DemoUser] => [
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
