import { sql } from 'kysely'
import { MOST_MAP_POINTS } from '#contract/values/limits.ts'
import type { ListingMap } from '#contract/search.ts'
import { materials, type MaterialId } from '#contract/values/materials.ts'
import { gbp } from '#domain/format.ts'
import type { PriceBasis } from '#domain/money.ts'
import type { Db } from '#server/db/db.ts'
import { findMatches, type SearchLimits } from '#server/features/search/search.ts'
import type { Match, Search } from '#server/features/search/search-sql.ts'

// Clusters are counted over the 10,000 matches that end first: a bounded sample that is spread over the country like all others.
const MAX_COUNTED = 10_000
const CLUSTERS_ACROSS = 12
// A map takes up to 10,001 matches, a list page up to 61: it walks further and collects wider ranges, and it stops collecting by
// words sooner, because more than 15,000 matches are frequent enough to be walked to.
const limits: SearchLimits = { walkRows: 15_000, rangeRows: 15_000, collectRows: 15_000 }

/** The matches on the map: as points, or as clusters if there are too many points to tell apart. */
export async function showMap({ db, searchDb }: { db: Db; searchDb: Db }, filter: Omit<Search, 'sort'>): Promise<ListingMap> {
  const search: Search = { ...filter, sort: 'ending_soonest' }
  const matches = await findMatches(searchDb, search, { after: undefined, limit: MAX_COUNTED + 1 }, limits)
  const hasPoints = matches.length <= MOST_MAP_POINTS
  const { rows } = await sql<{ now: Date }>`select app_now() as now`.execute(db)
  return {
    points: hasPoints ? await pointsOf(db, matches) : [],
    clusters: hasPoints ? [] : clustersOf(matches.slice(0, MAX_COUNTED)),
    is_complete: matches.length <= MAX_COUNTED,
    server_time: (rows[0]?.now ?? new Date(NaN)).toISOString(),
  }
}

type PointRow = {
  id: string
  title: string
  town: string
  price: number
  price_basis: PriceBasis
  material_id: MaterialId
  expires_at: Date
}

async function pointsOf(db: Db, matches: readonly Match[]): Promise<ListingMap['points']> {
  const { rows } = await sql<PointRow>`
    select id, title, town, coalesce(current_price, start_price) as price, price_basis, material_id, expires_at
    from listings
    where id = any(${matches.map(({ id }) => id)}::uuid[])`.execute(db)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return matches.flatMap(({ id, latitude, longitude }) => {
    const row = byId.get(id)
    if (!row) return []
    const { title, town, price, price_basis, material_id, expires_at } = row
    return {
      id,
      title,
      town,
      latitude,
      longitude,
      price: gbp(price),
      price_basis,
      material_group: materials[material_id].group,
      expires_at: expires_at.toISOString(),
    }
  })
}

/** Groups matches by tiles, rectangles of degrees 12 to the map's width. A cluster is shown at the mean position of its matches. */
function clustersOf(matches: readonly Match[]): ListingMap['clusters'] {
  const longitudes = matches.map(({ longitude }) => longitude)
  const width = Math.max((Math.max(...longitudes) - Math.min(...longitudes)) / CLUSTERS_ACROSS, 0.05)
  const tiles = new Map<string, { latitude: number; longitude: number; count: number }>()
  for (const { latitude, longitude } of matches) {
    // in the UK a degree of longitude is about 0.6 times as long as one of latitude: the tiles look square
    const name = `${Math.floor(longitude / width)} ${Math.floor(latitude / (width * 0.6))}`
    const sum = tiles.get(name) ?? { latitude: 0, longitude: 0, count: 0 }
    tiles.set(name, { latitude: sum.latitude + latitude, longitude: sum.longitude + longitude, count: sum.count + 1 })
  }
  return [...tiles.values()].map(({ latitude, longitude, count }) => ({
    latitude: hundredth(latitude / count),
    longitude: hundredth(longitude / count),
    count,
  }))
}

const hundredth = (degrees: number) => Math.round(degrees * 100) / 100
