import type { FastifyInstance } from 'fastify'
import { activityGroups, ownGroups } from '#contract/values/activity-groups.ts'
import { activityEndpoints } from '#contract/activity.ts'
import { gbp } from '#domain/format.ts'
import { goodsAmount } from '#domain/money.ts'
import { isWithin } from '#domain/working-days.ts'
import type { Db } from '#server/db/db.ts'
import { findActivity, findOwn, findTrades, findUnmet, type Place, type Trade } from '#server/features/activity/queries.ts'
import { findListings, showListings } from '#server/features/listings/public.ts'
import type { ReadSetting } from '#server/features/settings/public.ts'
import { refuseField } from '#server/http/errors.ts'
import { serve } from '#server/http/serve.ts'
import { isUuid } from '#server/http/uuid.ts'

export function activityRoutes(app: FastifyInstance, { db, readSetting }: { db: Db; readSetting: ReadSetting }): void {
  const page = async <G extends string>(find: Find, groups: Record<G, string>, asked: PageQuery<G>, userId: string) => {
    const { cursor, per_page, 'filter[status]': group } = asked
    // one more than the page was asked for: whether there is a next one
    const { counts, places } = await find(userId, { group, after: readCursor(cursor), limit: per_page + 1 })
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

  const ownNow: Find = async (userId, wanted) => {
    const unmet = await findUnmet(db, userId, wanted.after?.asOf)
    const window = unmet.length > 0 ? await readSetting(db, 'reservation_offer_window') : '0s'
    const canOffer = unmet.filter(({ expires_at, now }) => isWithin(window, expires_at, now)).map(({ id }) => id)
    return findOwn(db, userId, { ...wanted, canOffer })
  }

  serve(app, activityEndpoints, {
    'GET /api/v1/my-listings': async ({ query, viewer }) => page(ownNow, ownGroups, query, viewer.user.id),

    'GET /api/v1/activity': async ({ query, viewer }) =>
      page((userId, wanted) => findActivity(db, userId, wanted), activityGroups, query, viewer.user.id),

    'GET /api/v1/activity/figures': async ({ viewer }) => {
      const { since, trades } = await findTrades(db, viewer.user.id)
      return { data: { since: since.toISOString(), sold: sum(trades, 'sold'), bought: sum(trades, 'bought') } }
    },
  })
}

type Find = (userId: string, wanted: Parameters<typeof findActivity>[2]) => ReturnType<typeof findActivity>
type PageQuery<G> = { cursor?: string | undefined; per_page: number; 'filter[status]'?: G | undefined }

function sum(trades: readonly Trade[], side: Trade['side']) {
  const amounts = trades
    .filter((trade) => trade.side === side)
    .map(({ price, price_basis, weight_kg }) => goodsAmount(price, price_basis, weight_kg))
  return { count: amounts.length, value: gbp(amounts.reduce((total, amount) => total + amount, 0)) }
}

const writeCursor = ({ asOf, rank, at, id }: Place) => Buffer.from(JSON.stringify([asOf, rank, at, id])).toString('base64url')

function readCursor(text: string | undefined): Place | undefined {
  if (!text) return undefined
  try {
    const [asOf, rank, at, id] = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[]
    if (isInstant(asOf) && [0, 1, 2, 3].includes(Number(rank)) && Number.isFinite(at) && typeof id === 'string' && isUuid(id))
      return { asOf, rank: Number(rank), at: Number(at), id }
  } catch {
    // malformed cursor: refused below
  }
  throw refuseField('cursor', 'This is not the end of a page.')
}

/** As we write them, which the database can read too: there is no year 0, and no 31 February. */
const isInstant = (text: unknown): text is string =>
  typeof text === 'string' && /^[1-9]/.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString() === text
