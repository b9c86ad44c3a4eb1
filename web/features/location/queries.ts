import { queryOptions } from '@tanstack/react-query'
import type { FoundAddress } from '#contract/location.ts'
import { ApiError } from '#web/api/api-error.ts'
import { call } from '#web/api/api.ts'

const SHORTEST_SEARCH = 2

/** A newer search cancels the older one: its signal is given up with its key. */
export const addressSearch = (text: string) =>
  queryOptions({
    queryKey: ['addresses', text],
    queryFn: async ({ signal }) =>
      (await call('GET /api/v1/location/post-code', { query: { postalCode: text }, signal, skipAuthRedirect: true })).data,
    enabled: text.length >= SHORTEST_SEARCH,
  })

export const findAddress = async (location: string): Promise<FoundAddress> =>
  (await call('GET /api/v1/location/street-details', { query: { location }, skipAuthRedirect: true })).data

/** An address written by hand takes its place on the map from the lookup: from the whole of it, else from its postcode. */
export async function locate(parts: Pick<FoundAddress, 'address_line_1' | 'address_line_2' | 'town' | 'post_code'>): Promise<FoundAddress> {
  const whole = [parts.address_line_1, parts.address_line_2, parts.town, parts.post_code].filter(Boolean).join(', ')
  const found = await findAddress(whole).catch((error: unknown) => {
    if (error instanceof ApiError && !error.canRetry) return findAddress(parts.post_code)
    throw error
  })
  return { ...found, ...parts }
}

export const oneLine = (address: Pick<FoundAddress, 'address_line_1' | 'address_line_2' | 'town' | 'post_code'>): string =>
  [address.address_line_1, address.address_line_2, address.town, address.post_code].filter(Boolean).join(', ')
