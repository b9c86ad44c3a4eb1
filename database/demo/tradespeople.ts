import type { DemoUser } from '#database/demo/users.ts'

type Trade = Pick<DemoUser, 'company_name' | 'first_name' | 'surname' | 'business_activity' | 'contact_number' | 'address'>

/** Tradespeople of the demo's market, shown on its map; their logins are not documented. */
const trades: Record<string, Trade> = {
  'aire-plumbing': {
    company_name: 'Aire Plumbing & Heating',
    first_name: 'Nadia',
    surname: 'Hussain',
    business_activity: 'plumber',
    contact_number: '0113 496 0311',
    address: ['8 Kirkstall Road', 'Leeds', 'England', 'LS3 1LH', 53.8011, -1.5652],
  },
  'clyde-roofing': {
    company_name: 'Clyde Roofing',
    first_name: 'Fraser',
    surname: 'Buchan',
    business_activity: 'roofer',
    contact_number: '0141 496 0322',
    address: ['30 Helen Street', 'Glasgow', 'Scotland', 'G51 3HR', 55.8579, -4.3113],
  },
  'avon-builders': {
    company_name: 'Avon Builders Ltd',
    first_name: 'Tom',
    surname: 'Sealey',
    business_activity: 'builder',
    contact_number: '0117 496 0333',
    address: ['5 Feeder Road', 'Bristol', 'England', 'BS2 0SB', 51.4489, -2.5725],
  },
  'mersey-electrical': {
    company_name: 'Mersey Electrical',
    first_name: 'Paula',
    surname: 'Deegan',
    business_activity: 'electrician',
    contact_number: '0151 496 0344',
    address: ['12 Jamaica Street', 'Liverpool', 'England', 'L1 0AF', 53.3963, -2.9797],
  },
  'north-facilities': {
    company_name: 'North Facilities Group',
    first_name: 'Victor',
    surname: 'Osei',
    business_activity: 'facilities',
    contact_number: '020 7946 0355',
    address: ['44 Hackney Road', 'London', 'England', 'E2 7NX', 51.5291, -0.0766],
  },
}

/** name → user */
export const tradeUsers = Object.entries(trades).map(([name, trade]): [string, DemoUser] => [
  name,
  {
    ...trade,
    email: `${name}@yardbid.test`,
    about: 'a tradesperson of the market',
    tier: 'seller',
    date_of_birth: '1982-06-01',
    vat_number: null,
  },
])
