import type { DbOrTx } from '#server/db/db.ts'
import { countCandidates, type CandidateCounts } from '#server/features/search/candidate-counts.ts'
import { collectByEnd, collectByPrice, collectBySquares, collectByWordsAndSquares } from '#server/features/search/collect-matches.ts'
import { findInCells, type CellLimits } from '#server/features/search/nearest-cells.ts'
import type { Page } from '#server/features/search/search-cursor.ts'
import {
  endConditions,
  priceConditions,
  squareIndexConditions,
  type Match,
  type Search,
  type SearchQuery,
} from '#server/features/search/search-sql.ts'
import { extendWalk, walkLength, walkOrder } from '#server/features/search/walk-order.ts'

/** How many rows each strategy may read before the next one is tried. */
export type SearchLimits = {
  /** Rows walked along the sort order before matches count as rare. */
  walkRows: number
  /** Listings that a range of prices or ends, or the squares of an area, may hold to be collected by it. */
  rangeRows: number
  /** Matches collected by words and squares before the search walks to the end instead. */
  collectRows: number
  cells?: CellLimits
}

// Measured with a million listings (benchmarks/search.ts): a row walked takes about 2 µs, a row collected 4. Matches that are too rare
// for a walk of 10,000 rows are at most 2,500 in a million, so collecting them, which grows with the market, takes less than the walk.
const defaultLimits: SearchLimits = { walkRows: 10_000, rangeRows: 6_000, collectRows: 60_000 }

/**
 * Finds a page of Active listings in any sort order, by any combination of filters.
 *
 * Walking along the index of the sort order is quick when matches are frequent; collecting all matches by another index and then
 * sorting them is quick when they are rare. How rare they are is not known in advance, so strategies are tried in the order below,
 * each within a limit, until one has the page. Each strategy's file says how it works and what it was measured at.
 *
 * Measured with a million listings: searches whose matches are frequent, by list, category, price or text, take 1-3 ms, the same as
 * with 100,000. Ratio of the p99 times of these two markets: 1.35 for a radius, 3.78 for all filters together; the goals are 1.5 and 5.
 */
export async function findMatches(db: DbOrTx, search: Search, page: Page, limits: SearchLimits = defaultLimits): Promise<Match[]> {
  const query: SearchQuery = { db, search, page }
  const isFull = (matches: readonly Match[]) => matches.length === page.limit

  // 1. A narrow range of prices or ends that the sort order's index does not hold: collect it. Counting it costs next to nothing.
  const ranges = hasRangeOutsideOrder(search) ? await countCandidates(query, { walkedRows: 0, maxCount: limits.rangeRows }) : undefined
  const collectNarrowRange = ranges && rangeStrategy(search, ranges, limits.rangeRows)
  if (collectNarrowRange) return collectNarrowRange(query)

  // 2. A later page of the nearest, where listings are dense: look up the grid cells beyond the previous page.
  const inCells = await findInCells(query, limits.cells)
  if (inCells) return inCells

  // 3. All other searches: walk along the sort order. Frequent matches fill the page here.
  const walkedRows = walkLength(search, limits.walkRows)
  const walked = await walkOrder(query, walkedRows)
  if (isFull(walked)) return walked

  // 4. The page is nearly full: walk on. The nearest are left out, because their walk cannot continue where it stopped.
  const rowsToFill = (walkedRows * page.limit) / walked.length
  const isNearlyFull = search.sort !== 'nearest' && rowsToFill <= walkedRows * NEARLY_FULL
  const extended = isNearlyFull ? await extendWalk(query, walked, rowsToFill) : []
  if (isFull(extended)) return extended

  // 5. The walk has read the last listing: the matches are all there are.
  const counts = await countCandidates(query, { walkedRows, maxCount: limits.rangeRows, ranges })
  if (counts.isAtEnd) return walked

  // 6. A frequent material, of which far more would be collected than matches, and matches dense enough: walk on.
  const isDense = !isNearlyFull && counts.materials > limits.rangeRows && rowsToFill <= limits.walkRows * 2
  const inMaterial = isDense && squareIndexConditions(search).length === 0 ? await extendWalk(query, walked, rowsToFill) : []
  if (isFull(inMaterial)) return inMaterial

  // 7. Rare matches: collect them by the best index. 8. No index helps, or they are not rare after all: walk to the end.
  return (await collectRareMatches(query, counts, limits)) ?? walkOrder(query, null)
}

// a walk of up to 1.5 times the length takes less than collecting
const NEARLY_FULL = 1.5

const hasRangeOutsideOrder = (search: Search) =>
  (priceConditions(search).length > 0 && search.sort !== 'price_low' && search.sort !== 'price_high') ||
  (endConditions(search).length > 0 && search.sort !== 'ending_soonest')

function collectRareMatches(query: SearchQuery, counts: CandidateCounts, limits: SearchLimits): Promise<Match[] | undefined> {
  const collectRange = rangeStrategy(query.search, counts, limits.rangeRows)
  if (collectRange) return collectRange(query)
  return counts.squares <= limits.rangeRows
    ? collectBySquares(query, limits.collectRows)
    : collectByWordsAndSquares(query, limits.collectRows)
}

/** By price or by end, whichever range holds fewer listings; undefined if both hold too many. */
function rangeStrategy({ text, material_id, radius_miles }: Search, { prices, endings }: CandidateCounts, maxRows: number) {
  // listing_prices has no words, and looking up those of one listing takes as long as collecting ten
  const needsWordLookup = text !== undefined && material_id === undefined && radius_miles === undefined
  if (prices <= (needsWordLookup ? maxRows / 10 : maxRows) && prices <= endings) return collectByPrice
  return endings <= maxRows ? collectByEnd : undefined
}
