import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { SettingKey } from '#contract/settings.ts'
import { demoUsers } from '#database/demo/users.ts'
import { openAuctionPool, openDatabase, type Db } from '#server/db/db.ts'
import { ensureAccount, setupIntentFor, syncAccount, syncCards, type PaymentDeps } from '#server/features/payments/public.ts'
import { recheckGate } from '#server/features/sales/public.ts'
import { settingsReader } from '#server/features/settings/public.ts'
import { applyInvoice } from '#server/features/subscription/public.ts'
import { showSubscribed, subscribe, type SubscriptionDeps } from '#server/features/subscription/subscribe.ts'
import { Refusal } from '#server/http/errors.ts'
import type { SessionUser } from '#server/http/session.ts'
import { openProvider } from '#server/open-provider.ts'
import type { Payment } from '#server/providers/payment.ts'

// The demo's people exist at the sandbox's provider too: accounts, cards, subscriptions and an invoice or two, made by the code that
// makes them for everybody. A start that was interrupted goes on where it was at the next.

type Options = { url: string; payment: Payment; settings: ReadonlyMap<SettingKey, unknown> }

/** The rest has a trial. */
const paysBy: Record<string, { coupon: string | null }> = {
  'seller@yardbid.test': { coupon: null },
  'buyer@yardbid.test': { coupon: 'YARD20' },
}

const AT_ONCE = 4
const DEMO_LOCK = 7_210_009

export async function fillDemoPayments({ url, payment, settings }: Options): Promise<void> {
  const alone = new pg.Client({ connectionString: url })
  alone.on('error', () => {}) // a connection that breaks fails its query; without a listener it would end the process
  const db = openDatabase(url, AT_ONCE + 2)
  const auctionPool = openAuctionPool(url, 1)
  const readSetting = settingsReader(settings)
  const provider = openProvider({ db, payment, readSetting })
  const recheck = (userId: string) => recheckGate(auctionPool, (key) => readSetting(db, key), userId)
  const deps = { db, provider, readSetting, recheckGate: recheck, config: { publicUrl: '' } }
  try {
    // held and waited for as long as it takes, so not by a connection with a deadline
    await alone.connect()
    await alone.query('select pg_advisory_lock($1)', [DEMO_LOCK])
    const people = await waitingFor(db)
    if (people.length > 0) await addCoupons(db)
    while (people.length > 0)
      await Promise.all(people.splice(0, AT_ONCE).map((person) => untilAnswered(() => introduce(deps, payment, person))))
  } finally {
    await alone.end()
    await auctionPool.end()
    await db.destroy()
  }
}

/** Who can log in to the demo and is not yet known to the provider; the other merchants only fill the market. */
const waitingFor = (db: Db) =>
  db
    .selectFrom('users')
    .selectAll()
    .where('payment_account_id', 'like', 'acct_demo_%')
    .where(
      'email',
      'in',
      demoUsers.map(({ email }) => email),
    )
    .orderBy('created_at')
    .execute() as Promise<SessionUser[]>

const addCoupons = (db: Db) =>
  db
    .insertInto('coupons')
    .values([
      // beyond a trial, so that whoever tries it with one sees it work
      { code: 'YARD20', percent_off: '20', duration: 'repeating', duration_in_months: 12 },
      { code: 'TENNER', amount_off: 1_000, duration: 'once', max_redemptions: 100 },
    ])
    .onConflict((conflict) => conflict.doNothing())
    .execute()

type DemoDeps = SubscriptionDeps & PaymentDeps

/** The sandbox's provider gives up a call that waits too long for another; on a busy machine it is asked again. */
async function untilAnswered(ask: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'provider_unavailable') throw error
      await pause(1_000)
    }
  }
}

async function introduce(deps: DemoDeps, payment: Payment, user: SessionUser): Promise<void> {
  const { db, provider } = deps
  const holding = await setupIntentFor(deps, user.id, 'holding_fee')
  await provider.stripe.setupIntents.confirm(idOfSecret(holding), { payment_method: 'pm_card_visa', return_url: 'http://localhost/' })
  const { provider_customer_id } = await db
    .selectFrom('users')
    .select('provider_customer_id')
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow()
  await syncCards(deps, provider_customer_id ?? '')
  if (user.tier === 'full') await subscribeDemo(deps, user)

  await db.updateTable('users').set({ payment_account_id: null }).where('id', '=', user.id).execute()
  const accountId = await ensureAccount(deps, user.id)
  await fetch(`${payment.speakTo}/sandbox/accounts/${accountId}/complete`, { method: 'POST' })
  if (!user.payment_account_verified) await fetch(`${payment.speakTo}/sandbox/accounts/${accountId}/unverify`, { method: 'POST' })
  if (accountId) await syncAccount(deps, accountId)
}

async function subscribeDemo(deps: DemoDeps, user: SessionUser): Promise<void> {
  const { db, provider } = deps
  const pays = paysBy[user.email]
  if (pays) await db.updateTable('users').set({ trial_used_at: user.created_at }).where('id', '=', user.id).execute()
  const { row, clientSecret } = await subscribe(deps, { userId: user.id, couponCode: pays?.coupon ?? null })
  if (!clientSecret) return
  const id = idOfSecret(clientSecret)
  const params = { payment_method: 'pm_card_mastercard', return_url: 'http://localhost/' }
  if (id.startsWith('seti_')) await provider.stripe.setupIntents.confirm(id, params)
  else await provider.stripe.paymentIntents.confirm(id, params)
  const { row: confirmed } = await showSubscribed(deps, row.id)
  const invoices = await provider.stripe.invoices.list({ subscription: confirmed.provider_id ?? '', limit: 10 })
  for (const invoice of invoices.data) await applyInvoice(deps, invoice.id)
}

const idOfSecret = (secret: string) => secret.split('_secret_')[0] ?? ''
