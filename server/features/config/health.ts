import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { healthEndpoints } from '#contract/config.ts'
import { migrationNames } from '#database/migrate.ts'
import { refuse } from '#server/http/errors.ts'
import { serve } from '#server/http/serve.ts'

// less than a balancer waits for its answer
const READY_WITHIN_MS = 3_000

/** `/healthz` does not ask the database: a process is not to be restarted because its database is away. */
export function healthRoutes(app: FastifyInstance, { auctionPool }: { auctionPool: pg.Pool }): void {
  serve(app, healthEndpoints, {
    'GET /healthz': async () => ({ status: 'ok' as const }),

    'GET /readyz': async () => {
      const notReady = (message: string) => refuse('unavailable', message, { code: 'not_ready', retryAfterSeconds: 2 })
      const database = await Promise.race([lookAt(auctionPool), pause(READY_WITHIN_MS, undefined, { ref: false })])
      if (!database) throw notReady('The database cannot be reached.')
      if (database.isReadOnly) throw notReady('The database is read-only.')
      if ((await migrationNames()).some((name) => !database.migrations.includes(name)))
        throw notReady('The database is being brought up to date.')
      return { status: 'ready' as const }
    },
  })
}

/** By the connections that bids are placed with. */
const lookAt = (pool: pg.Pool) =>
  pool
    .query<{ isReadOnly: boolean; migrations: string[] }>(
      `select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "isReadOnly", array(select name from migrations) as migrations`,
    )
    .then(
      ({ rows }) => rows[0],
      () => undefined,
    )
