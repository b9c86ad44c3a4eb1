import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { SettingKey } from '#contract/settings.ts'
import type { DemoMove, DemoValue } from '#database/demo/deal-moves.ts'
import { demoDeals, type DemoDeal } from '#database/demo/deals.ts'
import { insertDeals } from '#database/demo/insert-deals.ts'
import { limitConcurrency } from '#domain/limit-concurrency.ts'
import { fromLondonMinute, toLondonMinute } from '#domain/london-clock.ts'
import { addDuration } from '#domain/working-days.ts'
import { openAuctionPool, openDatabase } from '#server/db/db.ts'
import { uploadDemoPaper, uploadDemoPhoto, type Uploading } from '#server/demo-documents.ts'
import { authoriseFee } from '#server/features/paying/hold.ts'
import { pay, syncIntent, type PayDeps } from '#server/features/paying/public.ts'
import { applyCharge, idOf, readCharge } from '#server/features/payments/public.ts'
import { actingWith, recheckSale, takeAction } from '#server/features/sales/public.ts'
import { settingsReader } from '#server/features/settings/public.ts'
import { storeDemoPhoto } from '#server/features/storage/demo-files.ts'
import { asKept } from '#server/http/errors.ts'
import { openProvider } from '#server/open-provider.ts'
import type { FileStore } from '#server/providers/files.ts'
import type { Payment } from '#server/providers/payment.ts'
import { noVatRegister } from '#server/providers/vat.ts'

// The demo's sales after the hammer, played beside the running product by the functions that people's requests call. A start that was
// interrupted is continued by the next: the events of a listing say which moves are made.

type Options = { url: string; payment: Payment; settings: ReadonlyMap<SettingKey, unknown>; files: FileStore }

export type DemoPlay = { done: Promise<void>; stop: () => Promise<void> }

// few, because the visitors of the first minute come first
const AT_ONCE = 2
const SALES_LOCK = 7_210_010

export function playDemoSales(options: Options): DemoPlay {
  let isStopping = false
  const done = play(options, () => isStopping)
  return {
    done,
    stop: async () => {
      isStopping = true
      // The caller that awaits `done` reports a failure. Here the process is ending, so it is enough that the work has stopped.
      await done.catch(() => undefined)
    },
  }
}

type Stage = PayDeps & { client: pg.Client; files: FileStore; recheck: (listingId: string) => Promise<unknown>; isStopping: () => boolean }

async function play({ url, payment, settings, files }: Options, isStopping: () => boolean): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {}) // a connection that breaks fails its query; without a listener it would end the process
  const db = openDatabase(url, AT_ONCE)
  const auctionPool = openAuctionPool(url, AT_ONCE)
  const readSetting = settingsReader(settings)
  const recheck = (listingId: string) => recheckSale(auctionPool, (key) => readSetting(db, key), listingId)
  const provider = openProvider({ db, payment, readSetting })
  const deps = { db, provider, readSetting, auctionPool, recheckSale: recheck, vatRegister: noVatRegister }
  try {
    await client.connect()
    // another process that holds it plays them
    const { rows } = await client.query<{ is_ours: boolean }>('select pg_try_advisory_lock($1) as is_ours', [SALES_LOCK])
    if (!rows[0]?.is_ours) return
    const isFirst = await insertDeals(client, demoDeals, storeDemoPhoto(files))
    if (isFirst) await readWhatIsTold(client)
    else await countAsUnread(client)
    const limited = limitConcurrency({ atOnce: AT_ONCE })
    const stage = { ...deps, client, files, recheck, isStopping }
    const played = await Promise.allSettled(demoDeals.map((deal) => limited(() => playDeal(stage, deal))))
    if (isFirst) await readNoMore(client, isStopping)
    const failed = played.find((one) => one.status === 'rejected')
    if (failed) throw new Error('a sale of the demo could not be played', { cause: failed.reason })
  } finally {
    await client.end()
    await auctionPool.end()
    await db.destroy()
  }
}

/**
 * While the sales are played, their steps count as read: whoever looks at the demo for the first time finds a few unread notifications,
 * not a hundred that arrive within a minute.
 */
async function readWhatIsTold(client: pg.Client): Promise<void> {
  await client.query(`
    create or replace function demo_is_read() returns trigger language plpgsql as $$
    begin
      new.read_at := app_now();
      return new;
    end $$`)
  await client.query(`
    create or replace trigger demo_is_read before insert on notifications
    for each row when (new.source like 'step:%') execute function demo_is_read()`)
  await client.query(`update notifications set read_at = app_now() where read_at is null and source like 'step:%'`)
}

async function readNoMore(client: pg.Client, isStopping: () => boolean): Promise<void> {
  const isToldLater = async () =>
    ((await client.query(`select from jobs where kind = 'tell_of_step' and failed_at is null limit 1`)).rowCount ?? 0) > 0
  while (!isStopping() && (await isToldLater())) await pause(LOOK_AGAIN_MS)
  await countAsUnread(client)
}

/** Also after a first start that was killed. */
async function countAsUnread(client: pg.Client): Promise<void> {
  await client.query('drop trigger if exists demo_is_read on notifications')
  await client.query('drop function if exists demo_is_read')
}

const LOOK_AGAIN_MS = 200

async function playDeal(stage: Stage, deal: DemoDeal): Promise<void> {
  const { status } = await lookAt(stage, deal)
  if (status === 'Active' && !stage.isStopping()) await stage.recheck(deal.id)
  for (const move of await movesLeft(stage, deal)) {
    if (stage.isStopping() || (isBuyers(move) && (await lookAt(stage, deal)).buyer === null)) return
    try {
      await playMove(stage, deal, move)
    } catch (error) {
      // a visitor has taken the sale elsewhere: it is theirs
      if (asKept(error)) return
      throw error
    }
  }
}

/** Those whose steps are not among the listing's events yet. */
async function movesLeft({ client }: Stage, { id, moves }: DemoDeal): Promise<readonly DemoMove[]> {
  const { rows } = await client.query<{ step: string }>('select step from listing_events where listing_id = $1 order by seq', [id])
  let made = 0
  for (const { step } of rows) if (moves[made] && stepOf(moves[made]) === step) made += 1
  return moves.slice(made)
}

function stepOf(move: DemoMove | undefined): string | undefined {
  if (!move) return undefined
  if ('action' in move) return move.action
  if ('misses' in move) return 'miss_payment'
  return move.percent === undefined ? 'paid' : 'paid_short'
}

const isBuyers = (move: DemoMove) => 'pays' in move || ('by' in move && move.by === 'buyer')

async function playMove(stage: Stage, deal: DemoDeal, move: DemoMove): Promise<void> {
  if ('misses' in move) return missPayment(stage, deal)
  const people = await lookAt(stage, deal)
  if ('pays' in move) return payFor(stage, deal, { ...move, buyerId: people.buyer ?? '' })
  const personId = people[move.by] ?? ''
  const uploading = { client: stage.client, files: stage.files, ownerId: personId, now: people.now }
  const sent: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(move.sent ?? {})) sent[name] = await sentAs(uploading, deal, value)
  const person = { id: personId, role: move.by === 'admin' ? ('admin' as const) : null }
  await takeAction(actingWith(stage), { listingId: deal.id, action: move.action, sent, person, isPasswordFresh: true })
}

type Looked = { status: string; seller: string; buyer: string | null; admin: string | null; now: Date }

async function lookAt({ client }: Pick<Stage, 'client'>, { id }: DemoDeal): Promise<Looked> {
  const { rows } = await client.query<Looked>(
    `select l.status, l.seller_id as seller, a.bidder_id as buyer, admin.id as admin, app_now() as now
     from listings l
     left join awards a on a.listing_id = l.id and a.status in ('pending_payment', 'paid')
     left join users admin on admin.email = 'admin@yardbid.test'
     where l.id = $1`,
    [id],
  )
  if (!rows[0]) throw new Error(`the demo's sale ${id} is not there`)
  return rows[0]
}

async function sentAs(uploading: Uploading, deal: DemoDeal, value: DemoValue): Promise<unknown> {
  if (Array.isArray(value)) {
    const all: unknown[] = []
    for (const one of value as readonly DemoValue[]) all.push(await sentAs(uploading, deal, one))
    return all
  }
  if (typeof value !== 'object' || 'type' in value) return value
  if ('photo' in value) return uploadDemoPhoto(uploading, value.photo)
  if ('paper' in value) return uploadDemoPaper(uploading, value)
  if ('workingDays' in value) return onTheHour(uploading.now, value)
  if ('soon' in value) return nextQuarter(uploading.now)
  return handoverCode(uploading, deal)
}

function onTheHour(now: Date, { workingDays, hour }: { workingDays: number; hour: number }): string {
  const [day] = toLondonMinute(addDuration(now, `${workingDays}bd`)).split('T')
  return fromLondonMinute(`${day}T${String(hour).padStart(2, '0')}:00`).toISOString()
}

const QUARTER_MS = 15 * 60_000
// the uploads that go with it take a moment
const LEAST_AHEAD_MS = 5 * 60_000

const nextQuarter = (now: Date): string => new Date(Math.ceil((now.getTime() + LEAST_AHEAD_MS) / QUARTER_MS) * QUARTER_MS).toISOString()

async function handoverCode({ client }: Uploading, { id }: DemoDeal): Promise<string | null> {
  const { rows } = await client.query<{ handover_code: string | null }>(
    `select x.handover_code from exchanges x join awards a on a.id = x.award_id where a.listing_id = $1 and a.status = 'paid'`,
    [id],
  )
  return rows[0]?.handover_code ?? null
}

type Paying = { pays: 'card' | 'bank_transfer'; percent?: number; buyerId: string }

/** As the buyer's browser or bank does; a payment that was confirmed before an interruption is only looked at. */
async function payFor(stage: Stage, { id }: DemoDeal, { pays, percent = 100, buyerId }: Paying): Promise<void> {
  const { stripe } = stage.provider
  const payment = await pay(stage, { listingId: id, method: pays, person: { id: buyerId, role: null } })
  const intent = await stripe.paymentIntents.retrieve(payment.intent_id ?? '')
  if (pays === 'card' && intent.status !== 'succeeded') {
    await stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa', return_url: 'http://localhost/' })
  }
  const transfer = intent.next_action?.display_bank_transfer_instructions
  if (transfer?.amount_remaining === intent.amount && typeof intent.customer === 'string') {
    const amount = Math.floor((intent.amount * percent) / 100)
    const reference = transfer.reference ?? ''
    await stripe.testHelpers.customers.fundCashBalance(intent.customer, { amount, currency: 'gbp', reference })
  }
  await syncIntent(stage, intent.id)
  // posted before the provider's event is heard, so that the ledger is at no time behind for long
  const paid = await stripe.paymentIntents.retrieve(intent.id)
  const chargeId = idOf(paid.latest_charge)
  const charge = chargeId ? await readCharge(stage.provider, chargeId) : undefined
  if (charge) await applyCharge(stage, charge)
}

/** The holding fee stands, and the time for paying is over at once. */
async function missPayment(stage: Stage, { id }: DemoDeal): Promise<void> {
  const { rows } = await stage.client.query<{ id: string }>(
    'select f.id from holding_fees f join awards a on a.id = f.award_id where a.listing_id = $1',
    [id],
  )
  for (const fee of rows) await authoriseFee(stage, fee.id)
  await stage.client.query(`update listings set due_at = app_now() where id = $1 and status = 'PendingPayment'`, [id])
  await stage.recheck(id)
}
