import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { fillDemo } from '#database/demo/fill-demo.ts'
import { startPostgres } from '#database/embedded/postgres.ts'
import { holdExclusively } from '#database/embedded/exclusive.ts'
import { writableAddress } from '#database/hosts.ts'
import { migrate, MigrationRefusal } from '#database/migrate.ts'
import { sandboxAddressBook } from '#sandbox/address-book.ts'
import { mailOutbox } from '#sandbox/mail-outbox.ts'
import { outboxPages } from '#sandbox/mail-pages.ts'
import { pushPages } from '#sandbox/push-service.ts'
import { startPaymentProvider } from '#sandbox/payment-provider.ts'
import { sandboxVatRegister } from '#sandbox/vat-register.ts'
import { ensureWebBuild } from '#server/web-build.ts'
import { ConfigError, environment, readConfig, type Config } from '#server/config.ts'
import { hashPassword } from '#server/features/account/passwords.ts'
import { storeDemoPhoto } from '#server/features/storage/demo-files.ts'
import { fillDemoPayments } from '#server/demo-payments.ts'
import { playDemoSales } from '#server/demo-sales.ts'
import { sandboxProviderShare } from '#server/db/budget.ts'
import { startInstance } from '#server/instance.ts'
import { checkDatabase, checkPort, StartRefusal } from '#server/start-checks.ts'
import { googleAddressBook, noAddressBook } from '#server/providers/addresses.ts'
import { fileStoreFor } from '#server/providers/files.ts'
import { noMailer, smtpMailer } from '#server/providers/mail.ts'
import { noPayment, openPayment, type Payment } from '#server/providers/payment.ts'
import { hmrcVatRegister, noVatRegister } from '#server/providers/vat.ts'
import { welcome } from '#server/welcome.ts'

// The process: start in order, stop in the reverse order, whatever happens in between.

let stopWithinMs = 10_000
// a request that never ends or a mail server that stalls must not keep the database, which stops last, from its turn
const STEP_WITHIN_MS = 5_000
const undo: (() => Promise<void>)[] = []
/**
 * While the embedded database and the server on it are being started.
 * The build, and a start on a database that is not ours, can be left at any moment.
 */
let isStarting = false
let stopAsked = false
let isStopping = false

async function start(config: Config): Promise<void> {
  stopWithinMs = config.stopWithinMs
  await checkPort(config)
  if (config.databaseUrl) await checkDatabase(config.databaseUrl, config.databaseConnections)
  const web = process.argv.includes('--no-web') ? { version: 'dev', dir: null } : await ensureWebBuild()
  isStarting = config.databaseUrl === undefined
  const url = config.databaseUrl ?? (await startEmbedded(config))
  if (stopAsked) return
  await migrate(await writableAddress(url))
  // its files are written, not signed for: no secret is needed
  if (config.sandbox)
    await fillDemo(await writableAddress(url), { hashPassword, storePhoto: storeDemoPhoto(await fileStoreFor(config, '')) })
  const { payment, forDemo, postTo } = await paymentOf(config, url)
  if (forDemo) await fillDemoPayments({ url: await writableAddress(url), payment: forDemo, settings: config.settings })
  const instance = await startInstance({ config, url, web, outside: { ...outsideOf(config), payment } })
  undo.push(instance.stop)
  if (stopAsked) return
  await instance.app.listen({ port: config.port, host: config.host })
  if (config.role !== 'worker') postTo?.((instance.app.server.address() as AddressInfo).port)
  console.log(welcome(config))
  if (config.sandbox && forDemo) await playSales(config, await writableAddress(url), forDemo)
}

// nobody waits for the demo's payments at a screen, and a busy machine takes its time
const DEMO_ANSWER_WITHIN_MS = 120_000

/** Beside the running product: who visits it in its first seconds sees sales come to life. */
async function playSales(config: Config, url: string, payment: Payment): Promise<void> {
  const play = playDemoSales({ url, payment, settings: config.settings, files: await fileStoreFor(config, '') })
  undo.push(play.stop)
  play.done.catch((error: unknown) => {
    if (!isStopping) console.error(error)
  })
}

async function startEmbedded({ dataDir }: Config): Promise<string> {
  const embedded = await startPostgres({ dir: path.join(dataDir, 'pg') })
  let isOurs = true
  const hold = await holdExclusively(embedded.url, {
    revive: embedded.revive,
    onTaken: (error) => {
      console.error(error.message)
      isOurs = false
      void stop(1)
    },
  })
  undo.push(async () => {
    await hold.end()
    if (isOurs) await embedded.stop()
  })
  return embedded.url
}

/** Real providers where they are configured, the sandbox's otherwise; outside the sandbox a missing one says that it is missing. */
function outsideOf(config: Config): Omit<Parameters<typeof startInstance>[0]['outside'], 'payment'> {
  const outbox = mailOutbox(config.dataDir)
  const mailer = config.smtpUrl ? smtpMailer({ url: config.smtpUrl, from: config.mailFrom }) : config.sandbox ? outbox : noMailer
  const addresses = config.addressApiKey ? googleAddressBook(config.addressApiKey) : config.sandbox ? sandboxAddressBook : noAddressBook
  const vatRegister = config.vatApi ? hmrcVatRegister(config.vatApi) : config.sandbox ? sandboxVatRegister : noVatRegister
  const pages = (app: FastifyInstance) => {
    outboxPages(app, outbox)
    pushPages(app)
  }
  return { mailer, addresses, vatRegister, ...(config.sandbox && { pages }) }
}

/** Stripe with keys; without them the sandbox's own provider, which every process of a sandbox runs on the same state. */
async function paymentOf(config: Config, url: string): Promise<{ payment: Payment; forDemo?: Payment; postTo?: (port: number) => void }> {
  if (config.stripe) return { payment: openPayment(config.stripe) }
  if (!config.sandbox) return { payment: noPayment }
  const { keys, speakTo, apiBase, sandbox, postTo } = await startPaymentProvider({
    ...config,
    databaseUrl: url,
    connections: sandboxProviderShare(config.databaseConnections),
  })
  undo.push(sandbox.stop)
  const at = { speakTo, apiBase }
  return { payment: openPayment(keys, at), forDemo: openPayment(keys, at, DEMO_ANSWER_WITHIN_MS), postTo }
}

async function stop(exitCode: number): Promise<void> {
  stopAsked = true
  // what is being started is finished first, then taken down: a database that nobody waits for would stay behind
  if (isStarting || isStopping) return
  isStopping = true
  setTimeout(() => process.exit(exitCode || 1), stopWithinMs).unref()
  for (const step of undo.reverse()) {
    const done = step().catch((error: unknown) => console.error(error))
    await (step === undo.at(-1) ? done : Promise.race([done, pause(STEP_WITHIN_MS)]))
  }
  process.exit(exitCode)
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0))

let exitCode = 0
try {
  await start(readConfig(environment()))
} catch (error) {
  console.error(error instanceof ConfigError || error instanceof StartRefusal || error instanceof MigrationRefusal ? error.message : error)
  exitCode = 1
}
isStarting = false
if (stopAsked || exitCode) await stop(exitCode)
