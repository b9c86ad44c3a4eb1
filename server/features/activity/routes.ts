import type { FastifyInstance } from 'fastify'
import { activityGroups, ownGroups } from '#contract/activity-groups.ts'
import { activityEndpoints } from '#contract/activity.ts'
import { goodsAmount } from '#domain/money.ts'
import type { Deps } from '#server/deps.ts'
import { findActivity, findOwn, findTrades, type Place, type Trade } from '#server/features/activity/queries.ts'
import { findListings, showListings } from '#server/features/listings/actions.ts'
import { refuseField } from '#server/http/errors.ts'
import { serve } from '#server/http/serve.ts'
import { isUuid } from '#server/http/uuid.ts'

export function activityRoutes(app: FastifyInstance, { db, readSetting }: Deps): void {
  const page = async <G extends string>(find: typeof findOwn, groups: Record<G, string>, asked: Asked<G>, userId: string) => {
    const { cursor, per_page, 'filter[status]': group } = asked
    // one more than the page was asked for: whether there is a next one
    const { counts, places } = await find(db, userId, { group, after: readCursor(cursor), limit: per_page + 1 })
    const shown = places.slice(0, per_page)
    const last = places.length > per_page ? shown.at(-1) : undefined
    const rows = await findListings(
      db,
      shown.map(({ id }) => id),
      userId,
    )
    const none = Object.fromEntries(Object.keys(groups).map((name) => [name, 0]))
    return {
      data: await showListings(db, readSetting, rows, userId),
      meta: {
        next_cursor: last ? writeCursor(last) : null,
        prev_cursor: null,
        per_page,
        counts: { ...none, ...counts } as Record<G, number>,
      },
    }
  }

  serve(app, activityEndpoints, {
    'GET /api/v1/my-listings': async ({ query, viewer }) => page(findOwn, ownGroups, query, viewer.user.id),

    'GET /api/v1/activity': async ({ query, viewer }) => page(findActivity, activityGroups, query, viewer.user.id),

    'GET /api/v1/activity/figures': async ({ viewer }) => {
      const { since, trades } = await findTrades(db, viewer.user.id)
      return { data: { since: since.toISOString(), sold: sum(trades, 'sold'), bought: sum(trades, 'bought') } }
    },
  })
}

type Asked<G> = { cursor?: string | undefined; per_page: number; 'filter[status]'?: G | undefined }

function sum(trades: readonly Trade[], side: Trade['side']) {
  const amounts = trades
    .filter((trade) => trade.side === side)
    .map(({ price, price_basis, weight_kg }) => goodsAmount(price, price_basis, weight_kg))
  return { count: amounts.length, value: { value: amounts.reduce((total, amount) => total + amount, 0), currency: 'GBP' as const } }
}

const writeCursor = ({ asOf, rank, at, id }: Place) => Buffer.from(JSON.stringify([asOf, rank, at, id])).toString('base64url')

function readCursor(text: string | undefined): Place | undefined {
  if (!text) return undefined
  try {
    const [asOf, rank, at, id] = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[]
    const isTime = typeof asOf === 'string' && /^\d{4}-/.test(asOf) && !Number.isNaN(Date.parse(asOf))
    if (isTime && [0, 1, 2, 3].includes(Number(rank)) && Number.isFinite(at) && typeof id === 'string' && isUuid(id))
      return { asOf, rank: Number(rank), at: Number(at), id }
  } catch {
    // not a cursor of ours, like any other that is none
  }
  throw refuseField('cursor', 'This is not the end of a page.')
}
