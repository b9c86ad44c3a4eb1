import { sql } from 'kysely'
import { MOST_MAP_POINTS } from '#contract/values/limits.ts'
import type { ListingMap } from '#contract/search.ts'
import { materials, type MaterialId } from '#contract/values/materials.ts'
import type { PriceBasis } from '#domain/money.ts'
import type { Db } from '#server/db/db.ts'
import { findMatches } from '#server/features/search/search.ts'
import type { Match, Search } from '#server/features/search/search-sql.ts'

// Clusters are counted over the first that end: as good a sample of the places as any, and bounded.
const MOST_COUNTED = 10_000
const CLUSTERS_ACROSS = 12
const patience = { walk: 15_000, range: 15_000, collect: 15_000 }

/** The matches where they are: one by one, or as clusters when that would be too many to tell apart. */
export async function showMap({ db, searchDb }: { db: Db; searchDb: Db }, filter: Omit<Search, 'sort'>): Promise<ListingMap> {
  const search: Search = { ...filter, sort: 'ending_soonest' }
  const matches = await findMatches(searchDb, search, { after: undefined, limit: MOST_COUNTED + 1 }, patience)
  const isFew = matches.length <= MOST_MAP_POINTS
  const { rows } = await sql<{ now: Date }>`select app_now() as now`.execute(db)
  return {
    points: isFew ? await pointsOf(db, matches) : [],
    clusters: isFew ? [] : clustersOf(matches.slice(0, MOST_COUNTED)),
    is_complete: matches.length <= MOST_COUNTED,
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
      price: { value: price, currency: 'GBP' as const },
      price_basis,
      material_group: materials[material_id].group,
      expires_at: expires_at.toISOString(),
    }
  })
}

/** By squares of degrees, each shown at the middle of what it holds. */
function clustersOf(matches: readonly Match[]): ListingMap['clusters'] {
  const longitudes = matches.map(({ longitude }) => longitude)
  const side = Math.max((Math.max(...longitudes) - Math.min(...longitudes)) / CLUSTERS_ACROSS, 0.05)
  const squares = new Map<string, { latitude: number; longitude: number; count: number }>()
  for (const { latitude, longitude } of matches) {
    // a degree of longitude is about six tenths of one of latitude here
    const name = `${Math.floor(longitude / side)} ${Math.floor(latitude / (side * 0.6))}`
    const square = squares.get(name) ?? { latitude: 0, longitude: 0, count: 0 }
    squares.set(name, { latitude: square.latitude + latitude, longitude: square.longitude + longitude, count: square.count + 1 })
  }
  return [...squares.values()].map(({ latitude, longitude, count }) => ({
    latitude: hundredth(latitude / count),
    longitude: hundredth(longitude / count),
    count,
  }))
}

const hundredth = (degrees: number) => Math.round(degrees * 100) / 100
