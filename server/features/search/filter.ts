import type { z } from 'zod'
import type { searchFilter } from '#contract/search.ts'
import { spotOfPostCode } from '#server/features/search/districts.ts'
import type { Search } from '#server/features/search/search-sql.ts'
import { refuseField } from '#server/http/errors.ts'

/** The filter parameters of API.md as a search. */
export function searchOf(filter: z.output<typeof searchFilter>): Omit<Search, 'sort'> {
  const near = filter['filter[post_code]'] ? spotOrRefuse(filter['filter[post_code]']) : undefined
  const radius_miles = filter['filter[radius_miles]']
  if (radius_miles !== undefined && !near) throw refuseField('filter[post_code]', 'Give a post code to search round.')
  return {
    text: filter['filter[search]'] || undefined,
    material_id: filter['filter[material_id]'],
    transfer_method_id: filter['filter[transfer_method_id]'],
    min_price: filter['filter[min_price]'],
    max_price: filter['filter[max_price]'],
    near,
    radius_miles,
  }
}

function spotOrRefuse(postCode: string) {
  const spot = spotOfPostCode(postCode)
  if (!spot) throw refuseField('filter[post_code]', 'This post code is not known. Enter one such as M1 4BT, or its first half.')
  return spot
}
