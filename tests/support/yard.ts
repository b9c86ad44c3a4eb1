import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Writable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { findViolations } from '#database/check.ts'
import { fillDemo } from '#database/demo/fill-demo.ts'
import { sandboxAddressBook } from '#sandbox/address-book.ts'
import { startPaymentProvider, type PaymentProvider } from '#sandbox/payment-provider.ts'
import { mailOutbox, type Outbox } from '#sandbox/mail-outbox.ts'
import { outboxPages } from '#sandbox/mail-pages.ts'
import { pushPages } from '#sandbox/push-service.ts'
import { sandboxVatRegister } from '#sandbox/vat-register.ts'
import { readConfig } from '#server/config.ts'
import { sandboxProviderShare } from '#server/db/budget.ts'
import { hashPassword, type PasswordCost } from '#server/features/account/passwords.ts'
import { startInstance, type Instance } from '#server/instance.ts'
import { JOBS_CHANNEL } from '#server/jobs/queue.ts'
import type { AddressBook } from '#server/providers/addresses.ts'
import type { Mailer } from '#server/providers/mail.ts'
import { openPayment, type Payment } from '#server/providers/payment.ts'
import type { VatRegister } from '#server/providers/vat.ts'
import { newClient, type Client } from '#tests/support/client.ts'
import { connectTo, freshDatabase, type FreshDatabase } from '#tests/support/processes/postgres.ts'
import { silentRelay, type SilentRelay } from '#tests/support/processes/silent-relay.ts'

type Options = {
  env?: Record<string, string>
  demo?: boolean
  addresses?: AddressBook
  vatRegister?: VatRegister
  mailer?: Mailer
  /** Lines below this level are not written; by default everything that the product logs. */
  logLevel?: 'info' | 'warn'
  webDir?: string
  webVersion?: string
  /** Hashes passwords as the product does. Everywhere else a hash costs next to nothing: hundreds are made. */
  strongPasswords?: boolean
  /** Waits for the payment provider no longer than the product does. Elsewhere a busy machine must not look like a provider that is away. */
  isImpatient?: boolean
  /** The server reaches its database by a line that can lose connections without a word: `yard.line`. */
  hasFaultyLine?: boolean
  /** Another address of the payment provider, on the same state: one in a process of its own. */
  speakTo?: string
  /** A database that is killed now and then: `connect` makes a connection for the owner that comes back. */
  killable?: { database: FreshDatabase; connect: typeof connectTo }
}

export type Yard = {
  url: string
  app: Instance['app']
  /** The owner's connection: looks at rows and travels in time, as no part of the product may. */
  owner: pg.Client
  databaseUrl: string
  dataDir: string
  line: SilentRelay | undefined
  outbox: Outbox
  /** The payment provider: its server, and what the product speaks to it with. */
  payment: Payment
  bank: PaymentProvider['sandbox']
  /** Every log line so far. */
  logs: string[]
  client(cookies?: Record<string, string>): Client
  /** A second server process's worth of server, on the same database, which it may reach by lines of its own. */
  another(env?: Record<string, string>, lines?: Lines): Promise<{ url: string; metricsPort: number | undefined; stop: () => Promise<void> }>
  jobsDone: () => Promise<void>
  /** The provider has nothing more to say, and everything that it said was applied. */
  bankSettled: () => Promise<void>
  travel(interval: string): Promise<void>
  /** The clock looks for listings whose time has come: the owner has moved one, of which no process hears. */
  wakeClosers: () => void
  close: () => Promise<void>
}

type Lines = { databaseUrl: string; providerUrl: string }

// no job takes as long: whoever waits longer waits for a worker that is not there
const JOBS_WITHIN_MS = 400_000

// longer than any test
const KEEP_ALIVE_MS = 3_600_000
const PROVIDER_WITHIN_MS = 300_000
// two hundred requests at once wait for twenty connections: the product gives up after 4 s, which a busy machine needs
const CONNECT_WITHIN_MS = 300_000

// of applying one event, while the provider is busy
const TRIES = 5

const cheapCost: PasswordCost = { memory: 8, passes: 1, parallelism: 1 }

export const SECRET = 'a secret that every instance of one test shares'

/** The real server on a real port with a database of its own. */
export async function openYard({
  env = {},
  demo = false,
  addresses = sandboxAddressBook,
  vatRegister = sandboxVatRegister,
  mailer,
  logLevel = 'info',
  webDir,
  webVersion = 'test',
  strongPasswords = false,
  isImpatient = false,
  hasFaultyLine = false,
  speakTo,
  killable,
}: Options = {}): Promise<Yard> {
  const database = killable?.database ?? (await freshDatabase())
  const dataDir = await mkdtemp(path.join(tmpdir(), 'yard-'))
  if (demo) await fillDemo(database.url, { hashPassword: quickHash(strongPasswords) })
  const owner = await (killable?.connect ?? connectTo)(database.url, { application_name: 'owner' })
  const line = hasFaultyLine ? await silentRelay(() => Number(new URL(database.url).port)) : undefined
  const serverUrl = line ? onPort(database.url, line.port) : database.url
  const outbox = mailOutbox(dataDir)
  const bank = await startPaymentProvider({
    databaseUrl: database.url,
    connections: sandboxProviderShare(Number(env['DATABASE_CONNECTIONS'] ?? 30)),
    host: '127.0.0.1',
    port: 0,
    publicUrl: 'http://127.0.0.1',
  })
  const paymentBy = (speakTo: string) => openPayment(bank.keys, { ...bank, speakTo }, isImpatient ? undefined : PROVIDER_WITHIN_MS)
  const payment = paymentBy(speakTo ?? bank.speakTo)
  const logs: string[] = []
  const stream = new Writable({ write: (chunk, _encoding, done) => (logs.push(String(chunk)), done()) })

  async function start(more: Record<string, string>, lines?: Lines) {
    const databaseUrl = lines?.databaseUrl ?? serverUrl
    const config = readConfig({
      SANDBOX: '1',
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      SESSION_SECRET: SECRET,
      PUBLIC_URL: 'http://localhost:3000',
      ...env,
      ...more,
    })
    const instance = await startInstance({
      config,
      url: databaseUrl,
      web: { version: webVersion, dir: webDir ?? null },
      outside: {
        mailer: mailer ?? outbox,
        addresses,
        vatRegister,
        payment: lines ? paymentBy(lines.providerUrl) : payment,
        pages: (app) => {
          outboxPages(app, outbox)
          pushPages(app)
        },
      },
      logger: { level: logLevel, stream: process.env['SEE'] ? process.stderr : stream },
      ...(!strongPasswords && { passwordCost: cheapCost }),
      // who waits for a line that is lost waits as long as the product does
      ...(!line && { connectWithinMs: CONNECT_WITHIN_MS }),
    })
    await instance.app.listen({ port: 0, host: '127.0.0.1' })
    // Client and server are one process here: after a test that computes for long, the client would send its next request on a
    // connection that the server is about to close as idle.
    instance.app.server.keepAliveTimeout = KEEP_ALIVE_MS
    return { instance, url: `http://127.0.0.1:${(instance.app.server.address() as AddressInfo).port}` }
  }

  // due or under way: a finished job has no row, one that is tried again later is due later
  async function jobsDone() {
    const open = () => owner.query<{ kind: string }>('select kind from jobs where failed_at is null and run_at <= app_now()')
    const givenUpAt = performance.now() + JOBS_WITHIN_MS
    for (let due = await open(); due.rowCount; due = await open()) {
      if (performance.now() > givenUpAt) throw new Error(`nobody does these jobs: ${due.rows.map(({ kind }) => kind).join(', ')}`)
      await pause(5)
    }
  }

  // a provider with two hundred callers may be too slow for one of them: that event is applied at the next try, as others' calls are
  async function applyAgain() {
    const { rows } = await owner.query<{ attempts: number; last_error: string }>(
      `update jobs set run_at = app_now() where kind = 'apply_provider_event' and last_error is not null returning attempts, last_error`,
    )
    const isRetried = (error: string) => killable !== undefined || error.includes('provider is not answering')
    const lost = rows.find(({ attempts, last_error }) => attempts > TRIES || !isRetried(last_error))
    if (lost) throw new Error(`an event could not be applied: ${lost.last_error}`)
    if (rows.length > 0) await owner.query(`select pg_notify('${JOBS_CHANNEL}', '')`)
  }

  const { instance, url } = await start({})
  bank.sandbox.setWebhook(`${url}/stripe/webhook`)
  const others: Instance[] = []
  const wakeClosers = () => {
    for (const { closer } of [instance, ...others]) closer?.wake()
  }
  return {
    url,
    app: instance.app,
    owner,
    databaseUrl: database.url,
    dataDir,
    line,
    outbox,
    payment,
    bank: bank.sandbox,
    logs,
    client: (cookies) => newClient(url, cookies),
    async another(more = {}, lines) {
      const other = await start(more, lines)
      others.push(other.instance)
      return { url: other.url, metricsPort: other.instance.metricsPort, stop: other.instance.stop }
    },
    jobsDone,
    async bankSettled() {
      // a job may have moved money, and the event of that is not posted yet
      const open = () =>
        owner.query(
          `select from provider_events where applied_at is null union all select from stripe_sandbox.deliveries where outcome is null`,
        )
      do {
        await bank.sandbox.settled()
        await jobsDone()
        await applyAgain()
      } while ((await open()).rowCount)
    },
    async travel(interval) {
      while (!(await setClock(owner, interval))) await pause(5)
      // what was compared with the provider in a future that is no longer one is compared anew
      await owner.query('delete from reconciliation where compared_until > app_now()')
      // a clock that jumps wakes nobody: a worker sleeps until the time that it knew
      await owner.query(`select pg_notify('${JOBS_CHANNEL}', '')`)
      wakeClosers()
    },
    wakeClosers,
    async close() {
      await Promise.all([instance, ...others].map(({ stop }) => stop()))
      line?.close()
      await bank.sandbox.stop()
      await owner.end()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
      logs.length = 0
    },
  }
}

function onPort(url: string, port: number): string {
  const changed = new URL(url)
  changed.port = String(port)
  return changed.href
}

/** Nothing that must always hold is broken. The yard is closed in any case: an open one would keep the file from ending. */
export async function closeSound(yard: Yard): Promise<void> {
  try {
    assert.deepEqual(await findViolations(yard.owner), [])
  } finally {
    await yard.close()
  }
}

// all demo users have one password: one hash serves them in tests
function quickHash(isStrong: boolean) {
  let hash: Promise<string> | undefined
  return (password: string) => (hash ??= isStrong ? hashPassword(password) : hashPassword(password, cheapCost))
}

/**
 * Answers false while a job is under way: its lease would end with the jump, or it would note a time before its own beginning. None begins
 * meanwhile, since whoever takes one waits for the lock.
 */
async function setClock(owner: pg.Client, interval: string): Promise<boolean> {
  // one round trip, and so one transaction
  const answers: unknown = await owner.query(
    `do $do$
     begin
       perform set_config('lock_timeout', '1s', true);
       begin
         lock table jobs in share mode;
       exception when lock_not_available then
         -- a server that a test has cut off in the middle of a step holds it: such a one begins nothing
       end;
       perform set_config('test.is_clock_set', (not exists (select from jobs where leased_until > app_now()))::text, false);
       if current_setting('test.is_clock_set')::boolean then
         create or replace function app_now() returns timestamptz language sql volatile parallel safe
           return clock_timestamp() + interval '${interval}';
       end if;
     end
     $do$;
     select current_setting('test.is_clock_set')::boolean as is_set`,
  )
  return (answers as { rows: { is_set: boolean }[] }[]).at(-1)?.rows[0]?.is_set === true
}
