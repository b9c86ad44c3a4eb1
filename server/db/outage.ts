import type { FastifyBaseLogger } from 'fastify'

// A database that is away, not one that refuses: whoever asked may ask again in a moment.

const codes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTCONN',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'ETIMEDOUT',
  '25006', // read-only: a standby, or a primary that steps down
  '25P03', // a transaction that stood still for too long
  '53100', // disk full
  '53200', // out of memory
  '53300', // out of connections
  '55P03', // a lock was not free in time
  '57014', // a statement took too long
  '57P01', // shut down by an administrator
  '57P02', // shut down by a crash
  '57P03', // starting up or shutting down
  '57P05', // idle for too long
])

const says =
  /Connection terminated|Query read timeout|timeout exceeded when trying to connect|timeout expired|not queryable|connection has been discarded|not currently accepting connections/

export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  return (typeof code === 'string' && (codes.has(code) || /^08...$/.test(code))) || says.test(error.message)
}

const SUMMARY_EVERY_MS = 60_000

type Fields = { err: unknown; event: string }

/** By log and event: how often it was not logged since it last was. */
const held = new WeakMap<FastifyBaseLogger, Map<string, number>>()

/** Logs a fault. While the database is away every loop and every request has one: the first is logged, then a summary each minute. */
export function logFault(log: FastifyBaseLogger, fields: Fields, message: string): void {
  if (!isDatabaseAway(fields.err)) return log.error(fields, message)
  const { event } = fields
  const counts = held.get(log) ?? new Map<string, number>()
  held.set(log, counts)
  const count = counts.get(event)
  if (count !== undefined) return void counts.set(event, count + 1)
  counts.set(event, 0)
  log.error(fields, message)
  summarise(log, counts, { ...fields, message })
}

function summarise(log: FastifyBaseLogger, counts: Map<string, number>, about: { event: string; message: string }): void {
  const timer = setTimeout(() => {
    const times = counts.get(about.event) ?? 0
    counts.delete(about.event)
    if (times === 0) return
    log.error({ event: about.event, times }, `${about.message}: ${times} more in the last minute`)
    counts.set(about.event, 0)
    summarise(log, counts, about)
  }, SUMMARY_EVERY_MS)
  timer.unref()
}
