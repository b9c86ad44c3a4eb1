import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FoundAddress } from '#contract/location.ts'
import type { AddressBook } from '#server/providers/addresses.ts'

// Addresses without a provider: the UK's real postcode districts, with streets and houses that are made up but always the
// same for the same postcode.

type District = { outcode: string; latitude: number; longitude: number; town: string; country: string }

const districts = new Map<string, District>(
  readFileSync(new URL('../database/uk-outcodes.csv', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((row) => {
      const [outcode = '', latitude = '', longitude = '', town = '', country = ''] = row.split(',')
      return [outcode, { outcode, latitude: Number(latitude), longitude: Number(longitude), town, country }]
    }),
)

const streets = [
  'Foundry Lane',
  'Canal Road',
  'Station Approach',
  'Furnace Street',
  'Wharf Road',
  'Mill Lane',
  'Ironmonger Row',
  'Gasworks Road',
  'Anvil Street',
  'Old Dock Road',
]
const premises = ['Unit 1', 'Unit 2', 'Unit 3', 'Unit 4', 'The Weighbridge', 'Yard A', 'Yard B', 'The Old Forge']

const fullPostCode = /\b([A-Z]{1,2}\d[A-Z\d]?) ?(\d[A-Z]{2})\b/
const HOUSES = 8

export const sandboxAddressBook: AddressBook = {
  async suggest(text) {
    return addressesAt(text).map((address) => ({ label: labelOf(address), location: labelOf(address) }))
  },
  async resolve(location) {
    const at = addressesAt(location)
    return at.find((address) => labelOf(address).toUpperCase() === location.toUpperCase()) ?? (isOnlyPostCode(location) ? at[0] : undefined)
  },
}

const isOnlyPostCode = (text: string) => new RegExp(`^${fullPostCode.source.slice(2, -2)}$`).test(text.trim().toUpperCase())

const labelOf = ({ address_line_1, address_line_2, town, post_code }: FoundAddress) =>
  [address_line_1, address_line_2, town, post_code].filter(Boolean).join(', ')

function addressesAt(text: string): FoundAddress[] {
  const [, outcode = '', incode = ''] = fullPostCode.exec(text.toUpperCase()) ?? []
  const district = districts.get(outcode)
  if (!district) return []
  // every postcode its own street and its own spot, within about a mile of the district's middle
  const dice = createHash('sha256')
    .update(outcode + incode)
    .digest()
  const roll = (nth: number, sides: number) => (dice[nth] ?? 0) % sides
  const street = streets[roll(0, streets.length)] ?? ''
  const aside = (nth: number) => (roll(nth, 200) - 100) / 10_000
  return Array.from({ length: HOUSES }, (_, house) => {
    const isUnit = house < 4
    return {
      address_line_1: isUnit
        ? `${premises[(roll(3, premises.length) + house) % premises.length]}`
        : `${house * 2 + 1 + roll(4, 60)} ${street}`,
      address_line_2: isUnit ? street : null,
      town: district.town,
      county: district.country,
      post_code: `${outcode} ${incode}`,
      latitude: round(district.latitude + aside(1)),
      longitude: round(district.longitude + aside(2)),
    }
  })
}

const round = (degrees: number) => Math.round(degrees * 100_000) / 100_000
