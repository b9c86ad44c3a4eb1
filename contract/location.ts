import { z } from 'zod'
import { endpoints } from '#contract/endpoint.ts'

/** SPEC §3: an address autocomplete result; `county` holds the country's name. */
export const foundAddress = z
  .object({
    address_line_1: z.string(),
    address_line_2: z.string().nullable(),
    town: z.string(),
    county: z.string(),
    post_code: z.string(),
    latitude: z.number(),
    longitude: z.number(),
  })
  .meta({ id: 'FoundAddress' })
export type FoundAddress = z.output<typeof foundAddress>

/** One line of the list under the address field; `location` is what street-details takes. */
export const addressSuggestion = z.object({ label: z.string(), location: z.string() }).meta({ id: 'AddressSuggestion' })
export type AddressSuggestion = z.output<typeof addressSuggestion>

const searchText = z.string().trim().min(2, 'Type at least two characters').max(200, 'At most 200 characters')

export const locationEndpoints = endpoints({
  'GET /api/v1/location/post-code': {
    summary: 'Addresses at a UK postcode or premise',
    access: 'anyone',
    query: z.object({ postalCode: searchText }),
    replies: { 200: z.object({ data: z.array(addressSuggestion) }) },
  },
  'GET /api/v1/location/street-details': {
    summary: 'One address in full: parts joined with commas in, fields out',
    access: 'anyone',
    query: z.object({ location: searchText }),
    replies: { 200: z.object({ data: foundAddress }) },
  },
})
