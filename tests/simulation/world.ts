import { setTimeout as pause } from 'node:timers/promises'
import { limitConcurrency } from '#domain/limit-concurrency.ts'
import type pg from 'pg'
import { settings } from '#contract/settings.ts'
import { sandboxVatRegister } from '#sandbox/vat-register.ts'
import { takeBatch } from '#server/clock/due-listings.ts'
import type { SettingReader } from '#server/features/settings/public.ts'
import { notSetAside } from '#server/features/sales/set-aside.ts'
import { clientOf, newMember, type Merchant } from '#tests/support/auctions/sale.ts'
import type { Client } from '#tests/support/client.ts'
import { connectTo } from '#tests/support/processes/postgres.ts'
import { openYard, type Yard } from '#tests/support/yard.ts'
import { seededRandom, type Random } from '#tests/support/random.ts'

// The yard that a simulation plays in: its people, its clock, and what went wrong.

export type World = {
  yard: Yard
  random: Random
  sellers: Merchant[]
  buyers: Merchant[]
  admin: Merchant
  /** VAT numbers that the register has come to know. */
  registered: Set<string>
  /** What the product must never answer, by what was asked of it. */
  faults: string[]
  /** Refusals that may happen to anybody: somebody else was faster, or the provider did not answer. */
  refusals: Map<string, number>
  /** Warnings and errors that the server has logged. */
  errors: Map<string, number>
  /** A browser in which they are logged in. */
  clientFor(person: { id: string }): Promise<Client>
  /** Lets time pass, and everything happen that is due by then. */
  pass(minutes: number): Promise<void>
  settle(): Promise<void>
  close(): Promise<void>
}

/** Plain durations: a simulation must not depend on the weekday it runs on. */
const windows = {
  reservation_offer_window: '48h',
  offer_window: '24h',
  kyc_window: '48h',
  vat_window: '48h',
  invoice_window: '36h',
  payment_window: '72h',
  missed_payment_window: '72h',
  reinstate_window: '24h',
  documents_window: '96h',
  collection_window: '48h',
  delivery_window: '48h',
  inspection_window: '72h',
  amend_answer_window: '48h',
  amend_papers_window: '48h',
  balance_window: '72h',
  deferred_grace: '72h',
  return_window: '72h',
  return_confirm_window: '48h',
  // strikes have tests of their own; here they would stop everybody in time
  strikes_to_block: 1_000,
}

/** `isKilled`: its servers and its database are, so the product's own clock is the only one that comes back. */
type Opening = { open?: typeof openYard; isKilled?: boolean }

export async function openWorld(seed: number, { open = openYard, isKilled = false }: Opening = {}): Promise<World> {
  const registered = new Set<string>()
  const opened = await open({
    env: { SETTINGS: JSON.stringify(windows) },
    // thousands of letters that nobody reads, and of requests that went well
    mailer: { send: async () => undefined },
    logLevel: 'warn',
    vatRegister: {
      check: async (number) => sandboxVatRegister.check(registered.has(number) ? `${number.slice(0, -2)}11` : number),
    },
  })
  // as in a larger installation: more than one process does the jobs
  await opened.another({ ROLE: 'worker' })
  // one connection answers one question at a time, and here many ask at once
  const inTurn = limitConcurrency({ atOnce: 1 })
  const ask = (text: string, values?: unknown[]) => inTurn(() => opened.owner.query(text, values))
  const yard: Yard = { ...opened, owner: Object.assign(Object.create(opened.owner), { query: ask }) }
  const admin = await newMember(yard, { role: 'admin' })
  const sessions = new Map<string, Promise<Client>>()
  let passed = 0
  const clock = isKilled ? undefined : await connectTo(opened.databaseUrl, { application_name: 'clock' })
  const world: World = {
    yard,
    random: seededRandom(seed),
    sellers: [],
    buyers: [],
    admin,
    registered,
    faults: [],
    refusals: new Map(),
    errors: new Map(),
    clientFor({ id }) {
      const known = sessions.get(id) ?? clientOf(yard, id)
      sessions.set(id, known)
      return known
    },
    async pass(minutes) {
      passed += minutes
      await yard.travel(`${passed} minutes`)
      // people who were away for days would have to log in again
      await yard.owner.query('update sessions set created_at = app_now(), last_seen_at = app_now(), password_confirmed_at = app_now()')
      await world.settle()
    },
    async settle() {
      do {
        await clockDone(world, clock)
        await yard.bankSettled()
      } while ((await dueListings(yard)).length > 0)
    },
    async close() {
      await clock?.end()
      await opened.close()
    },
  }
  return world
}

const isDue = `(
  (l.status = 'Active' and l.expires_at <= app_now())
  or (
    l.status not in ('Processing', 'Active', 'Expired', 'HasAdminIssue', 'RemovedByAdmin', 'ExchangeComplete', 'ReturnComplete')
    and coalesce(l.look_again_at, l.due_at, 'epoch') <= app_now()
  )
  or (l.status = 'Processing' and l.due_at is null)
)`

async function dueListings(yard: Yard): Promise<{ id: string; status: string; due_at: Date | null }[]> {
  return (await yard.owner.query(`select l.id, l.status, l.due_at from listings l where ${isDue} and ${notSetAside('l')}`)).rows
}

const CLOCK_WITHIN_MS = 300_000

const read: SettingReader = async (key) => ((windows as Record<string, unknown>)[key] ?? settings[key].default) as never

/** The product's own clock sleeps for up to half a second, and a jump wakes nobody: here another one looks at once. */
async function clockDone({ yard, faults }: World, client: pg.Client | undefined): Promise<void> {
  const givenUpAt = performance.now() + CLOCK_WITHIN_MS
  for (let due = await dueListings(yard); due.length > 0; due = await dueListings(yard)) {
    if (performance.now() > givenUpAt) throw new Error(`time does not move these on: ${JSON.stringify(due)}`)
    for (const queue of ['ready', 'ended', 'ranOut'] as const) {
      if (client)
        await takeBatch(client, queue, read, ({ listingId, error }) => faults.push(`${listingId} was set aside: ${String(error)}`))
    }
    await pause(5)
  }
}
