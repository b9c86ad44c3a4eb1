import type { BusinessActivity } from '#contract/values/business.ts'

type Merchant = {
  company_name: string
  first_name: string
  surname: string
  business_activity: BusinessActivity
  contact_number: string
  address: [line: string, town: string, country: string, postCode: string, latitude: number, longitude: number]
  /** The payment provider has yet to see their papers: what they win waits in AwaitingKYC. */
  isUnverified?: true
  /** The VAT check did not find their number: what they sell waits in AwaitingVatNumberVerification. */
  hasFailedVat?: true
}

/** More yards than the documented logins, so that the demo is a market; the part before @yardbid.test → who they are. */
export const demoMerchants = {
  hargreaves: {
    company_name: 'Hargreaves Recycling Ltd',
    first_name: 'Joanne',
    surname: 'Hargreaves',
    business_activity: 'scrap_metal_dealer',
    contact_number: '0113 496 0141',
    address: ['Knowsthorpe Way', 'Leeds', 'England', 'LS9 0SW', 53.781, -1.511],
    hasFailedVat: true,
  },
  mcallister: {
    company_name: 'McAllister Metals',
    first_name: 'Ewan',
    surname: 'McAllister',
    business_activity: 'scrap_metal_dealer',
    contact_number: '0131 496 0155',
    address: ['12 Salamander Street', 'Edinburgh', 'Scotland', 'EH6 7HS', 55.974, -3.161],
  },
  penrose: {
    company_name: 'Penrose Dismantling Ltd',
    first_name: 'Derek',
    surname: 'Penrose',
    business_activity: 'demolition',
    contact_number: '01752 496 018',
    address: ['Cattedown Wharves', 'Plymouth', 'England', 'PL4 0SP', 50.365, -4.122],
  },
  lagan: {
    company_name: 'Lagan Salvage',
    first_name: 'Ciara',
    surname: 'Quinn',
    business_activity: 'motor_salvage',
    contact_number: '028 9018 0133',
    address: ['Duncrue Road', 'Belfast', 'Northern Ireland', 'BT3 9BP', 54.623, -5.911],
  },
  tees: {
    company_name: 'Tees Valley Processors Ltd',
    first_name: 'Martin',
    surname: 'Lowther',
    business_activity: 'metal_processor',
    contact_number: '01642 496 072',
    address: ['Riverside Park Road', 'Middlesbrough', 'England', 'TS2 1QT', 54.582, -1.252],
  },
  thames: {
    company_name: 'Thameside Non-Ferrous',
    first_name: 'Anita',
    surname: 'Desai',
    business_activity: 'broker',
    contact_number: '020 7946 0177',
    address: ['Creekmouth Lane', 'Barking', 'England', 'IG11 0DW', 51.521, 0.098],
  },
  severn: {
    company_name: 'Severnside Skips and Metals',
    first_name: 'Huw',
    surname: 'Bevan',
    business_activity: 'skip_hire',
    contact_number: '01633 496 051',
    address: ['East Dock Road', 'Newport', 'Wales', 'NP20 2FR', 51.572, -2.984],
  },
  fenland: {
    company_name: 'Fenland Metal Traders',
    first_name: 'Oliver',
    surname: 'Setchell',
    business_activity: 'waste_collector',
    contact_number: '01733 496 064',
    address: ['Second Drove', 'Peterborough', 'England', 'PE1 5XA', 52.588, -0.216],
    isUnverified: true,
  },
} as const satisfies Record<string, Merchant>

export type MerchantName = keyof typeof demoMerchants
