import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { newClient } from '#tests/support/client.ts'
import { closeBalanced, confirm, GOOD_CARD, newPayer, subscribed } from '#tests/support/payments/paying.ts'
import { payWithCard } from '#tests/support/payments/stripe.ts'
import { openYard, type Yard } from '#tests/support/yard.ts'

// 37: no card number and no secret of a payment comes near us: not in a table of ours, not in a log, not in a request.

let yard: Yard
let listening: { url: string; close: () => void }
const requests: string[] = []
before(async () => {
  yard = await openYard()
  listening = await listenIn(yard.url)
  yard.bank.setWebhook(`${listening.url}/stripe/webhook`)
  yard.client = (cookies) => newClient(listening.url, cookies)
})
after(async () => {
  await closeBalanced(yard)
  listening.close()
})

/** A wire between everybody and the server, on which everything that is sent is written down. */
async function listenIn(url: string) {
  const { hostname, port } = new URL(url)
  const wire = createServer((near) => {
    const far = connect(Number(port), hostname)
    near.on('data', (chunk) => void requests.push(chunk.toString()))
    for (const end of [near, far]) end.on('error', () => {})
    near.pipe(far).pipe(near)
  }).listen(0, '127.0.0.1')
  await once(wire, 'listening')
  return { url: `http://127.0.0.1:${(wire.address() as AddressInfo).port}`, close: () => void wire.close() }
}

const cards = [GOOD_CARD, '5555555555554444', '4000000000000002', '4000000000009995', '4000002500003155', '4000000000000069']
const CVC = '737'

test('37: a test card number is in no table, no log and no request to our server', async () => {
  const payer = await newPayer(yard)
  const { body } = await payer.client.post('/api/v1/stripe/subscription', {})
  for (const number of cards.slice(2)) await payWithCard(yard.bank, body.client_secret, { number, cvc: CVC })
  await subscribed(yard, payer)
  const holding = (await payer.client.post('/api/v1/stripe/create-holding-fee-setup-intent')).body.data.client_secret
  await confirm(yard, holding, '5555555555554444')
  await payer.client.get('/api/v1/stripe/holding-fee-payment-method')
  await yard.bankSettled()

  const { rows } = await yard.owner.query<{ table: string }>(
    `select format('%I.%I', schemaname, tablename) as table from pg_tables where schemaname = 'public'`,
  )
  assert.ok(rows.length > 25)
  const dump: string[] = []
  for (const { table } of rows) {
    const found = await yard.owner.query<{ row: string }>(`select t::text as row from ${table} as t`)
    dump.push(...found.rows.map(({ row }) => `${table} ${row}`))
  }
  const places = { tables: dump, logs: yard.logs, requests }
  for (const [place, lines] of Object.entries(places)) {
    assert.ok(lines.length > 10, place)
    for (const number of cards)
      assert.deepEqual(
        lines.filter((line) => line.replaceAll(/[ -]/g, '').includes(number)),
        [],
        `${place} hold ${number}`,
      )
  }
  const secrets = [...dump, ...yard.logs].filter((line) => /_secret_\w/.test(line) || line.includes(yard.payment.webhookSecret))
  assert.deepEqual(secrets, [])
})
