import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { FastifyInstance, FastifyServerOptions } from 'fastify'
import { buildApp, buildWorkerApp, type AppDeps } from '#server/app.ts'
import type { Config } from '#server/config.ts'
import { startCloser, type Closer } from '#server/clock/closer.ts'
import { startReminders } from '#server/clock/reminders.ts'
import { shareConnections } from '#server/db/budget.ts'
import { openAll, openAuctionPool, openDatabase, openSearchDatabase, poolOf } from '#server/db/db.ts'
import { accountJobs } from '#server/features/account/mails.ts'
import { openPasswords, type PasswordCost } from '#server/features/account/passwords.ts'
import { auditJobs, planAuditLetter } from '#server/features/audit/jobs.ts'
import { bidDecider, type BidDecider } from '#server/features/bids/decider.ts'
import { outbidTeller } from '#server/features/bids/outbids.ts'
import { deletionJobs } from '#server/features/deletion/jobs.ts'
import { notificationJobs } from '#server/features/notifications/jobs.ts'
import { unsubscribeTokens } from '#server/features/notifications/unsubscribe.ts'
import { marketJobs } from '#server/features/market/jobs.ts'
import { paperJobs } from '#server/features/papers/stored-paper.ts'
import { payingJobs } from '#server/features/paying/jobs.ts'
import { paymentJobs } from '#server/features/payments/account.ts'
import { eventJobs, planReconciliation } from '#server/features/provider-events/reconcile.ts'
import { preferenceJobs } from '#server/features/preferences/jobs.ts'
import { saleJobs } from '#server/features/sales/letters/jobs.ts'
import { recheckGate, recheckSale, suspensionJobs } from '#server/features/sales/public.ts'
import { savedSearchJobs } from '#server/features/saved-searches/alerts.ts'
import { secondFactors } from '#server/features/second-factor/public.ts'
import { readBidRules, readSteps, settingsReader } from '#server/features/settings/public.ts'
import { storageJobs } from '#server/features/storage/sweep.ts'
import { subscriptionJobs } from '#server/features/subscription/jobs.ts'
import { vatJobs } from '#server/features/vat/jobs.ts'
import { cookiesFor } from '#server/http/cookies.ts'
import { openProvider } from '#server/open-provider.ts'
import { liveHub } from '#server/live/hub.ts'
import { watchGauges } from '#server/metrics/gauges.ts'
import { listenForScrapes } from '#server/metrics/listener.ts'
import { measured } from '#server/metrics/metrics.ts'
import { passedJobs } from '#server/jobs/forget-passed.ts'
import { planHourly } from '#server/jobs/queue.ts'
import { withMessageIds } from '#server/jobs/message-ids.ts'
import { startWorker, type Worker } from '#server/jobs/worker.ts'
import type { AddressBook } from '#server/providers/addresses.ts'
import { fileStoreFor } from '#server/providers/files.ts'
import { namingContact, type Mailer } from '#server/providers/mail.ts'
import type { Payment } from '#server/providers/payment.ts'
import { noPush, webPush } from '#server/providers/push.ts'
import { derivedKeys } from '#server/providers/push-encryption.ts'
import type { VatRegister } from '#server/providers/vat.ts'

type Options = {
  config: Config
  /** A migrated database. Any number of instances may share it. */
  url: string
  web: { version: string; dir: string | null }
  /** The world beyond this process: real providers or the sandbox's. */
  outside: { mailer: Mailer; addresses: AddressBook; vatRegister: VatRegister; payment: Payment; pages?: (app: FastifyInstance) => void }
  logger?: FastifyServerOptions['logger']
  /** The full strength by default; tests sign up hundreds of users. */
  passwordCost?: PasswordCost
  /** How long a request waits for a database connection; tests send hundreds at once on a busy machine. */
  connectWithinMs?: number
}

export type Instance = {
  app: FastifyInstance
  worker: Worker | undefined
  closer: Closer | undefined
  /** Where metrics are, when they are wanted. */
  metricsPort: number | undefined
  stop: () => Promise<void>
}

/** One server on a database: the HTTP side, the worker, or both, as its role says. The app is built, not yet listening. */
export async function startInstance({
  config,
  url,
  web,
  outside,
  logger = { level: config.logLevel },
  passwordCost,
  connectWithinMs,
}: Options): Promise<Instance> {
  const shares = shareConnections(config.databaseConnections, outside.payment.apiBase !== null)
  const db = openDatabase(url, shares.pages, connectWithinMs)
  const searchDb = openSearchDatabase(url, shares.search, connectWithinMs)
  const mapDb = openSearchDatabase(url, shares.map, connectWithinMs)
  const settingsDb = openDatabase(url, shares.settings, connectWithinMs)
  const readSetting = settingsReader(config.settings, settingsDb)
  // connections of their own for bids and for closing: a burst of page views, or of the other, must not keep them waiting
  const auctionPool = openAuctionPool(url, shares.bids, connectWithinMs)
  const clockPool = openAuctionPool(url, shares.clock, connectWithinMs)
  const secret = config.sessionSecret ?? (await keptSecret(config.dataDir))
  const store = await fileStoreFor(config, secret)
  // a folder is no provider, and its calls would drown those of one
  const files = store.origin ? measured('files', store, ['head', 'read', 'write', 'remove', 'list']) : store
  const addresses = measured('addresses', outside.addresses, ['suggest', 'resolve'])
  const vatRegister = measured('vat', outside.vatRegister, ['check'])
  const tokens = unsubscribeTokens(secret)
  const pushSender = config.vapid
    ? webPush(config.vapid)
    : config.sandbox
      ? webPush(derivedKeys(secret, `mailto:${config.supportEmail}`))
      : noPush
  const push = measured('push', pushSender, ['send'])
  const passwords = openPasswords(passwordCost)
  const { payment } = outside
  const provider = openProvider({ db, payment, readSetting })
  const outbids = outbidTeller(db, { readSteps: () => readSteps(db, readSetting), log: () => app.log })
  const recheck = (userId: string) => recheckGate(auctionPool, (key) => readSetting(db, key), userId)
  const recheckMoney = (listingId: string) => recheckSale(auctionPool, (key) => readSetting(db, key), listingId)
  let liveConnections = () => 0
  const app =
    config.role === 'worker'
      ? await buildWorkerApp({ auctionPool, connections: config.connections, logger, supportEmail: config.supportEmail })
      : await buildApp({
          deps: webDeps(),
          trustProxy: config.trustProxy,
          connections: config.connections,
          logger,
          webDir: web.dir,
          ...(outside.pages && { more: outside.pages }),
        })

  function webDeps(): AppDeps {
    const live = liveHub({ db, url, readSteps: () => readSteps(db, readSetting) })
    liveConnections = () => live.count()
    return {
      config,
      db,
      searchDb,
      mapDb,
      readSetting,
      passwords,
      secondFactors: secondFactors(db, secret),
      auctionPool,
      recheckGate: recheck,
      recheckSale: recheckMoney,
      bids: wakingAfter(
        bidDecider(auctionPool, () => readBidRules(db, readSetting)),
        [live, outbids],
      ),
      live,
      cookies: cookiesFor({ publicUrl: config.publicUrl, secret }),
      addresses,
      files,
      vatRegister,
      payment,
      provider,
      appVersion: web.version,
      pushPublicKey: push.publicKey,
      tokens,
    }
  }

  const paying = { db, provider, readSetting, recheckGate: recheck, recheckSale: recheckMoney, config }
  const mailer = withMessageIds(
    namingContact(measured('mail', outside.mailer, ['send']), config.supportEmail),
    new URL(config.publicUrl).hostname,
  )
  const writing = { db, mailer, publicUrl: config.publicUrl }
  const handlers = {
    ...accountJobs({ ...writing, passwords }),
    ...deletionJobs({ ...writing, readSetting }),
    ...storageJobs({ db, files }),
    ...passedJobs({ db }),
    ...auditJobs({ ...writing, log: () => app.log }),
    ...notificationJobs({ ...writing, tokens, push }),
    ...saleJobs({ db }),
    ...suspensionJobs({ pool: auctionPool, read: (key) => readSetting(db, key) }),
    ...paperJobs({ db, files }),
    ...savedSearchJobs({ db }),
    ...savedSearchJobs(writing),
    ...marketJobs({ db }),
    ...preferenceJobs({ db }),
    ...paymentJobs(paying),
    ...eventJobs(paying),
    ...payingJobs(paying),
    ...vatJobs({ db, vatRegister, recheckGate: recheck }),
    ...subscriptionJobs(paying),
  }
  const worker = config.role === 'web' ? undefined : startWorker({ db, url, handlers, log: app.log })
  const closer = config.role === 'web' ? undefined : startCloser({ pool: clockPool, log: app.log, read: (key) => readSetting(db, key) })
  const reminders = config.role === 'web' ? undefined : startReminders({ db, readSetting, log: app.log })
  await openAll(auctionPool, shares.bids)
  if (worker)
    for (const kind of ['sweep_storage', 'forget_uploads', 'forget_passed', 'log_audit_head'] as const) await planHourly(db, kind, 0)
  if (worker) await planReconciliation(db, 0)
  const metrics = config.metricsPort === undefined ? undefined : await startMetrics({ ...config, port: config.metricsPort })
  if (worker) await planAuditLetter(db)
  const stop = async () => {
    await closeApp(app)
    await metrics?.stop()
    await worker?.stop()
    await closer?.stop()
    await reminders?.stop()
    await outbids.stop()
    await auctionPool.end()
    await clockPool.end()
    await searchDb.destroy()
    await mapDb.destroy()
    await settingsDb.destroy()
    await db.destroy()
  }
  async function startMetrics({ metricsHost, port, role }: { metricsHost: string; port: number; role: string }) {
    const gauges = watchGauges({
      about: { version: web.version, role },
      pools: {
        pages: poolOf(db),
        search: poolOf(searchDb),
        map: poolOf(mapDb),
        settings: poolOf(settingsDb),
        bids: auctionPool,
        clock: clockPool,
      },
      liveConnections: () => liveConnections(),
    })
    const listener = await listenForScrapes({ host: metricsHost, port, readGauges: () => gauges.read(), log: app.log })
    return {
      port: listener.port,
      async stop() {
        gauges.stop()
        await listener.stop()
      },
    }
  }

  let stopped: Promise<void> | undefined
  return { app, worker, closer, metricsPort: metrics?.port, stop: () => (stopped ??= stop()) }
}

const CLOSE_IDLE_EVERY_MS = 50

/** Node closes the connections that are idle at that moment. One that becomes idle a moment later would stay open until its keep-alive ends. */
async function closeApp(app: FastifyInstance): Promise<void> {
  const closing = setInterval(() => app.server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS)
  try {
    await app.close()
  } finally {
    clearInterval(closing)
  }
}

/** Accepted means committed: from then on the streams may tell of it, and whoever was outbid is told. */
const wakingAfter = (decider: BidDecider, followers: readonly { wake(): void }[]): BidDecider => ({
  async place(request) {
    const placed = await decider.place(request)
    if (placed.answer.outcome === 'accepted') for (const follower of followers) follower.wake()
    return placed
  },
})

/** SESSION_SECRET for one machine: made once, kept in the data folder. Several machines need the variable. */
async function keptSecret(dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const file = path.join(dataDir, 'session-secret')
  const draft = `${file}.${process.pid}`
  await writeFile(draft, randomBytes(32).toString('base64url'), { mode: 0o600, flush: true })
  // whole or not at all, and the first process to have one decides for all
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await unlink(draft)
  return readFile(file, 'utf8')
}
