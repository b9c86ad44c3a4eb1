import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { openDatabase, type Db } from '#server/db/db.ts'
import { markSourceRead, notify, type News } from '#server/features/notifications/public.ts'
import type { Client } from '#tests/support/client.ts'
import { signUp } from '#tests/support/people.ts'
import { closeSound, openYard, type Yard } from '#tests/support/yard.ts'

let yard: Yard
let db: Db
before(async () => {
  yard = await openYard()
  db = openDatabase(yard.databaseUrl, 4)
})
after(async () => {
  await db.destroy()
  await closeSound(yard)
})
beforeEach(() => yard.travel('0 seconds'))

const SETTINGS = '/api/v1/auth/notification-settings'
const inAnHour = () => new Date(Date.now() + 3_600_000 * 24 * 30).toISOString()
let nth = 0

const news = {
  sold: (to: string): News => ({
    kind: 'sold',
    to,
    source: `step:${++nth}`,
    facts: { step: 'end_sold', as: 'seller', title: 'Bright copper', price: '£250.00', until: null, reason: null, to: 'PendingPayment' },
    link: '/my-listings',
  }),
  paid: (to: string): News => ({
    kind: 'payment',
    to,
    source: `step:${++nth}`,
    facts: { step: 'paid', as: 'seller', title: 'Bright copper', price: '£250.00', until: null, reason: null, to: 'DocumentsRequired' },
    link: '/my-listings',
  }),
  matched: (to: string, title = `Copper ${++nth}`): News => ({
    kind: 'listing_matched',
    to,
    source: `listing:${++nth}`,
    facts: { title, town: 'Leeds', price: 25_000, price_basis: 'lot', ends_at: inAnHour(), search: 'Copper' },
    link: '/listings',
  }),
  message: (to: string): News => ({
    kind: 'chat_message',
    to,
    source: `chat:${++nth}`,
    facts: { from: 'Smith Metals', title: 'Copper', preview: 'Is it still there?' },
    link: '/listings',
  }),
}

async function newReader() {
  const reader = await signUp(yard)
  await yard.jobsDone()
  const welcome = (await yard.outbox.list(reader.email)).length
  return {
    ...reader,
    /** What came since the sign-up, oldest first. */
    async mails() {
      await yard.jobsDone()
      const mails = await yard.outbox.list(reader.email)
      return mails.slice(0, mails.length - welcome).reverse()
    },
  }
}

const subjects = (mails: { subject: string }[]) => mails.map(({ subject }) => subject.replace(' · Yardbid', ''))

/** A browser of the sandbox's own push service, subscribed for this user. */
async function subscribe(client: Client) {
  const made = await yard.client().ask('POST', '/sandbox/push', { csrf: false })
  assert.equal(made.status, 201)
  assert.equal((await client.post('/api/v1/push-subscriptions', made.body)).status, 201)
  const path = new URL(made.body.endpoint).pathname
  return {
    subscription: made.body,
    unsubscribe: () => yard.client().ask('DELETE', path, { csrf: false }),
    async pushed() {
      await yard.jobsDone()
      return (await yard.client().get(path)).body.data
    },
  }
}

test('a notification is one email with text and design, and one encrypted push message in each browser', async () => {
  const reader = await newReader()
  const browsers = [await subscribe(reader.client), await subscribe(reader.client)]
  await notify(db, news.sold(reader.id))
  const [mail, ...more] = await reader.mails()
  assert.deepEqual(subjects([mail as { subject: string }]), ['Sold: Bright copper'])
  assert.equal(more.length, 0)
  for (const part of [mail?.text, mail?.html]) {
    for (const words of ['Hello Jo,', 'Your listing is sold for £250.00.', 'http://localhost:3000/my-listings', 'notification-preferences'])
      assert.ok(part?.includes(words), words)
  }
  for (const browser of browsers) {
    const [message, ...others] = await browser.pushed()
    assert.equal(others.length, 0)
    const { id, ...payload } = message.payload
    assert.deepEqual(payload, {
      kind: 'sold',
      title: 'Sold: Bright copper',
      body: 'Your listing is sold for £250.00. The buyer pays next. We tell you when the money is here.',
      link: '/my-listings',
      action: 'Open the listing',
      tag: id,
    })
    assert.deepEqual([message.topic, message.urgency], [id.replaceAll('-', ''), 'high'])
  }
})

test('a browser that is gone is forgotten, one that moves to another user is theirs alone, and strange addresses are refused', async () => {
  const [first, second] = [await newReader(), await newReader()]
  const gone = await subscribe(first.client)
  await gone.unsubscribe()
  await notify(db, news.sold(first.id))
  assert.equal((await first.mails()).length, 1)
  const left = (id: string) => yard.owner.query('select from push_subscriptions where user_id = $1', [id])
  assert.equal((await left(first.id)).rowCount, 0)

  const shared = await subscribe(first.client)
  assert.equal((await second.client.post('/api/v1/push-subscriptions', shared.subscription)).status, 201)
  await notify(db, news.sold(first.id))
  await notify(db, news.sold(second.id))
  assert.equal((await shared.pushed()).length, 1)
  assert.equal((await first.client.ask('DELETE', '/api/v1/push-subscriptions', { body: shared.subscription })).status, 204)
  assert.equal((await left(second.id)).rowCount, 1, 'nobody else can take it away')

  for (const endpoint of [
    'https://evil.test/push',
    'http://fcm.googleapis.com/fcm/send/x',
    'https://fcm.googleapis.com.evil.test/x',
    'https://user@fcm.googleapis.com/x',
    'https://fcm.googleapis.com:8443/x',
    'http://169.254.169.254/latest',
    'http://127.0.0.1:1/sandbox/mail',
    'http://10.0.0.1/sandbox/push/x',
  ]) {
    const answer = await first.client.post('/api/v1/push-subscriptions', { ...shared.subscription, endpoint })
    assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, ['endpoint']], endpoint)
  }
  for (const endpoint of [
    'https://fcm.googleapis.com/fcm/send/x',
    'https://updates.push.services.mozilla.com/wpush/v2/x',
    'https://web.push.apple.com/x',
  ])
    assert.equal((await first.client.post('/api/v1/push-subscriptions', { ...shared.subscription, endpoint })).status, 201, endpoint)
})

test('settings switch channels off by kind, keep what is left out, and refuse to switch off what is locked', async () => {
  const reader = await newReader()
  assert.equal((await reader.client.get('/api/v1/auth/me')).body.data.call_to_complete_notification_settings.show, true)
  const { kinds, quiet_hours, digest } = (await reader.client.get(SETTINGS)).body.data
  assert.deepEqual([quiet_hours, digest], [null, false])
  assert.deepEqual([kinds.outbid.in_app, kinds.outbid.email, kinds.outbid.push, kinds.outbid.locked], [true, true, true, undefined])
  assert.deepEqual(kinds.payment.locked, ['in_app', 'email'])
  assert.equal(kinds.admin_issue, undefined)

  const saved = await reader.client.put(SETTINGS, { kinds: { sold: { in_app: false, email: false } } })
  assert.deepEqual([saved.status, saved.body.message], [200, 'Notification settings updated.'])
  await reader.client.put(SETTINGS, { kinds: { sold: { email: true }, chat_message: { push: false } }, digest: true })
  const { kinds: now, ...rest } = (await reader.client.get(SETTINGS)).body.data
  assert.deepEqual([now.sold.in_app, now.sold.email, now.sold.push, now.chat_message.push], [false, true, true, false])
  assert.deepEqual(rest, { quiet_hours: null, digest: true })
  assert.equal((await reader.client.get('/api/v1/auth/me')).body.data.call_to_complete_notification_settings.show, false)

  const browser = await subscribe(reader.client)
  await notify(db, news.sold(reader.id))
  await notify(db, news.message(reader.id))
  assert.equal((await reader.mails()).length, 2)
  assert.deepEqual(
    (await browser.pushed()).map((message: any) => message.payload.kind),
    ['sold'],
  )
  const { data, meta } = (await reader.client.get('/api/v1/notifications')).body
  assert.deepEqual([data.map(({ kind }: { kind: string }) => kind), meta.unread], [['chat_message'], 1])

  for (const [body, field] of [
    [{ kinds: { payment: { email: false } } }, 'kinds.payment.email'],
    [{ kinds: { payment: { in_app: false }, sold: { email: false } } }, 'kinds.payment.in_app'],
    [{ quiet_hours: { from: '22:00', to: '22:00' } }, 'quiet_hours'],
    [{ quiet_hours: { from: '25:00', to: '06:00' } }, 'quiet_hours.from'],
  ] as const) {
    const refused = await reader.client.put(SETTINGS, body)
    assert.deepEqual([refused.status, Object.keys(refused.body.errors)], [422, [field]])
  }
  assert.equal((await reader.client.get(SETTINGS)).body.data.kinds.sold.email, true, 'a refused change changes nothing')
  assert.equal(
    (await reader.client.put(SETTINGS, (await reader.client.get(SETTINGS)).body.data)).status,
    200,
    'what was read can be sent back',
  )
})

test('the prompt to complete the settings goes when it is dismissed', async () => {
  const { client } = await signUp(yard)
  assert.equal((await client.post(`${SETTINGS}/dismiss-call-to-complete`)).status, 200)
  assert.equal((await client.get('/api/v1/auth/me/lite?isWebRequest=1')).body.data.call_to_complete_notification_settings.show, false)
})

/** Moves the clock to the next time that London's clocks show this hour. */
async function travelToLondon(hour: number) {
  const now = new Date()
  const london = Number(new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/London', hour: '2-digit', hourCycle: 'h23' }).format(now))
  const hours = (hour - london + 24) % 24 || 24
  await yard.travel(`${hours * 3_600 - now.getUTCMinutes() * 60 - now.getUTCSeconds()} seconds`)
  return (more: number) => yard.travel(`${(hours + more) * 3_600 - now.getUTCMinutes() * 60 - now.getUTCSeconds()} seconds`)
}

test('quiet hours hold email and push until they end, but not payment; what was read meanwhile is not sent', async () => {
  const reader = await newReader()
  const browser = await subscribe(reader.client)
  await reader.client.put(SETTINGS, { quiet_hours: { from: '22:00', to: '06:00' } })
  const travel = await travelToLondon(23)
  await notify(db, news.sold(reader.id))
  await notify(db, { ...news.message(reader.id), source: 'chat:quiet:1' })
  await notify(db, news.paid(reader.id))
  assert.deepEqual(subjects(await reader.mails()), ['Paid: Bright copper'])
  assert.deepEqual(
    (await browser.pushed()).map((message: any) => message.payload.kind),
    ['payment'],
  )
  assert.equal((await reader.client.get('/api/v1/notifications')).body.meta.unread, 3, 'the list is not held')
  await markSourceRead(db, reader.id, 'chat:quiet:')
  await travel(6)
  assert.equal((await reader.mails()).length, 1, 'still 05:00')
  await travel(7)
  assert.deepEqual(subjects(await reader.mails()), ['Paid: Bright copper', 'Sold: Bright copper'])
  assert.deepEqual(
    (await browser.pushed()).map((message: any) => message.payload.kind),
    ['sold', 'payment'],
  )
})

test('twenty matches within an hour are one email at once and one digest an hour later; each is named once', async () => {
  const reader = await newReader()
  for (let match = 1; match <= 20; match++) {
    await notify(db, news.matched(reader.id, `Copper lot ${match}`))
    await yard.jobsDone()
  }
  assert.deepEqual(subjects(await reader.mails()), ['New listing: Copper lot 1'])
  await yard.travel('59 minutes')
  assert.equal((await reader.mails()).length, 1)
  await yard.travel('61 minutes')
  const [, digest, ...more] = await reader.mails()
  assert.equal(more.length, 0)
  assert.deepEqual(subjects([digest as { subject: string }]), ['19 new matches for you'])
  for (let match = 2; match <= 20; match++)
    for (const part of [digest?.text, digest?.html])
      assert.equal(
        part?.split(`New listing: Copper lot ${match}<`).length === 2 || part?.includes(`New listing: Copper lot ${match}\n`),
        true,
      )
  assert.equal((await reader.client.get('/api/v1/notifications')).body.meta.total, 20)
})

test('with the daily digest matches come at seven in the morning, and messages as before', async () => {
  const reader = await newReader()
  await reader.client.put(SETTINGS, { digest: true })
  const travel = await travelToLondon(9)
  await notify(db, news.matched(reader.id))
  await notify(db, news.matched(reader.id))
  await notify(db, news.message(reader.id))
  assert.deepEqual(subjects(await reader.mails()), ['Smith Metals wrote about Copper'])
  await travel(21)
  assert.equal((await reader.mails()).length, 1, 'still six in the morning')
  await travel(22)
  assert.deepEqual(subjects(await reader.mails()).slice(1), ['2 new matches for you'])
})

test('an email that can be switched off is switched off by one click without a login; looking at the link changes nothing', async () => {
  const reader = await newReader()
  await notify(db, news.sold(reader.id))
  await notify(db, news.paid(reader.id))
  // in whichever order they were sent
  const mails = await reader.mails()
  assert.equal(mails.length, 2)
  const [sold, ...more] = mails.filter(({ headers }) => headers)
  assert.equal(more.length, 0, 'payment emails are always sent')
  const link = new URL(/^<(.+)>$/.exec(sold?.headers?.['List-Unsubscribe'] ?? '')?.[1] ?? '').pathname
  assert.equal(sold?.headers?.['List-Unsubscribe-Post'], 'List-Unsubscribe=One-Click')
  const isOn = async () => (await reader.client.get(SETTINGS)).body.data.kinds.sold.email
  const page = await yard.client().get(link)
  assert.equal(page.status, 200)
  assert.match(page.body, /No more emails about “Sold”\?/)
  assert.equal(await isOn(), true)
  const post = (path: string) =>
    yard.client().ask('POST', path, {
      csrf: false,
      raw: 'List-Unsubscribe=One-Click',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  assert.equal((await post(link)).status, 200)
  assert.equal((await post(link)).status, 200, 'a second time too')
  assert.equal(await isOn(), false)
  await notify(db, news.sold(reader.id))
  assert.equal((await reader.mails()).length, 2)
  const other = await newReader()
  for (const wrong of [
    link.replace(reader.id, other.id),
    link.replace('.sold.', '.outbid.'),
    `${link.slice(0, -1)}${link.endsWith('A') ? 'B' : 'A'}`,
    '/api/v1/unsubscribe/x',
    '/api/v1/unsubscribe/%00',
  ])
    for (const answer of [await post(wrong), await yard.client().get(wrong)]) assert.equal(answer.status, 404, wrong)
})
