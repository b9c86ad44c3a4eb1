import { z } from 'zod'
import { PROVIDER_TIMEOUT_MS } from '#contract/values/limits.ts'
import type { AddressSuggestion, FoundAddress } from '#contract/location.ts'

export type AddressBook = {
  /** Addresses in the UK at a postcode or premise. */
  suggest(text: string): Promise<AddressSuggestion[]>
  /** One of them in full; nothing when it is not a premise or postcode in the UK. */
  resolve(location: string): Promise<FoundAddress | undefined>
}

export class AddressBookUnavailable extends Error {
  constructor(cause: unknown) {
    super('the address provider did not answer', { cause })
    this.name = 'AddressBookUnavailable'
  }
}

const suggestions = z.object({
  suggestions: z.array(z.object({ placePrediction: z.object({ text: z.object({ text: z.string() }) }).optional() })).default([]),
})

const geocoded = z.object({
  status: z.string(),
  results: z.array(
    z.object({
      types: z.array(z.string()),
      address_components: z.array(z.object({ long_name: z.string(), short_name: z.string(), types: z.array(z.string()) })),
      geometry: z.object({ location: z.object({ lat: z.number(), lng: z.number() }) }),
    }),
  ),
})

const googleHosts = { places: 'https://places.googleapis.com', geocoding: 'https://maps.googleapis.com' }

/** Google's address service, kept to the UK and to premise and postal-code types (SPEC §5). Its hosts are fixed, and no redirect is followed. */
export function googleAddressBook(apiKey: string, hosts = googleHosts): AddressBook {
  return {
    async suggest(text) {
      const answer = await ask(suggestions, `${hosts.places}/v1/places:autocomplete`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-goog-api-key': apiKey },
        body: JSON.stringify({ input: text, includedRegionCodes: ['gb'], includedPrimaryTypes: ['premise', 'postal_code'] }),
      })
      return answer.suggestions.flatMap(({ placePrediction }) => {
        const label = placePrediction?.text.text
        return label ? [{ label, location: label }] : []
      })
    },
    async resolve(location) {
      const query = new URLSearchParams({ address: location, components: 'country:GB', key: apiKey })
      const answer = await ask(geocoded, `${hosts.geocoding}/maps/api/geocode/json?${query.toString()}`, {})
      if (answer.status !== 'OK' && answer.status !== 'ZERO_RESULTS') throw new AddressBookUnavailable(answer.status)
      const found = answer.results.find(({ types }) => types.some((type) => accepted.includes(type)))
      return found && toAddress(found)
    },
  }
}

const accepted = ['premise', 'subpremise', 'street_address', 'postal_code']

function toAddress({ address_components, geometry }: z.output<typeof geocoded>['results'][number]): FoundAddress | undefined {
  const part = (...types: string[]) =>
    address_components.find((component) => types.some((type) => component.types.includes(type)))?.long_name
  const postCode = part('postal_code')
  const town = part('postal_town', 'locality')
  if (!postCode || !town) return undefined
  const street = [part('street_number'), part('route')].filter(Boolean).join(' ')
  const premise = [part('subpremise'), part('premise')].filter(Boolean).join(', ')
  return {
    address_line_1: premise || street || postCode,
    address_line_2: premise && street ? street : null,
    town,
    county: part('administrative_area_level_1') ?? 'United Kingdom',
    post_code: postCode,
    latitude: geometry.location.lat,
    longitude: geometry.location.lng,
  }
}

async function ask<S extends z.ZodType>(schema: S, url: string, init: RequestInit): Promise<z.output<S>> {
  try {
    const response = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(PROVIDER_TIMEOUT_MS) })
    if (!response.ok) throw new Error(`answered ${response.status}`)
    return schema.parse(await response.json())
  } catch (cause) {
    throw new AddressBookUnavailable(cause)
  }
}

/** Outside the sandbox without ADDRESS_API_KEY. */
export const noAddressBook: AddressBook = {
  suggest: () => Promise.reject(new AddressBookUnavailable('ADDRESS_API_KEY is not set')),
  resolve: () => Promise.reject(new AddressBookUnavailable('ADDRESS_API_KEY is not set')),
}
