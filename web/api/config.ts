import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '#web/api/api.ts'

export const configQuery = queryOptions({
  queryKey: ['config'],
  queryFn: async ({ signal }) => (await call('GET /api/v1/config', { signal })).data,
  staleTime: 10 * 60_000,
})

export const useConfig = () => useQuery(configQuery).data

// the UK's standard rate, for the moment until the configuration has come
const STANDARD_VAT_RATE = 20

/** In per cent. */
export const useVatRate = (): number => useConfig()?.vat_rate ?? STANDARD_VAT_RATE
