import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newPayer, subscribed, type Payer, closeBalanced } from '#tests/support/payments/paying.ts'
import { openYard, type Yard } from '#tests/support/yard.ts'

let yard: Yard
let payer: Payer
before(async () => {
  yard = await openYard()
  payer = await newPayer(yard)
  await subscribed(yard, payer)
})
after(() => closeBalanced(yard))

const list = async (who: Payer, page = 1) => (await who.client.get(`/api/v1/stripe/subscription/invoices?page=${page}`)).body
const download = (who: Payer, id: string) =>
  fetch(`${yard.url}/api/v1/stripe/subscription/invoices/${id}/download`, {
    headers: { cookie: [...who.client.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
  })

test('invoices are listed with number, period and amount, and downloaded as PDF', async () => {
  const { data, meta } = await list(payer)
  const [invoice] = data
  assert.deepEqual([data.length, meta.total, invoice.status, invoice.total.value, invoice.amount_due.value], [1, 1, 'paid', 16_500, 0])
  assert.ok(Date.parse(invoice.period_end) - Date.parse(invoice.period_start) > 27 * 24 * 3_600_000)
  const answer = await download(payer, invoice.id)
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('content-type'), 'application/pdf')
  assert.equal(answer.headers.get('content-disposition'), `attachment; filename="${invoice.number}.pdf"`)
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
  assert.equal(
    Buffer.from(await answer.arrayBuffer())
      .subarray(0, 5)
      .toString(),
    '%PDF-',
  )
})

test('an invoice is downloaded although the sandbox’s provider has moved to another port since', async () => {
  await yard.owner.query(
    `update stripe_sandbox.objects
     set doc = jsonb_set(doc, '{invoice_pdf}', to_jsonb(regexp_replace(doc ->> 'invoice_pdf', '^http://[^/]+', 'http://yard.invalid:1')))
     where kind = 'invoice'`,
  )
  const [invoice] = (await list(payer)).data
  assert.equal((await download(payer, invoice.id)).status, 200)
})

test("somebody else's invoice is not there, nor one that is none", async () => {
  const [invoice] = (await list(payer)).data
  const stranger = await newPayer(yard)
  assert.deepEqual((await list(stranger)).data, [])
  for (const id of [invoice.id, '00000000-0000-0000-0000-000000000000', 'in_1', '%00', '1e3'])
    assert.equal((await download(stranger, id)).status, 404, id)
  const visitor = await fetch(`${yard.url}/api/v1/stripe/subscription/invoices/${invoice.id}/download`)
  assert.equal(visitor.status, 401)
})

test('invoices come in pages of twenty, newest first', async () => {
  const other = await newPayer(yard)
  await yard.owner.query(
    `insert into subscription_invoices (provider_id, user_id, number, status, total, amount_due, amount_paid, period_start, period_end, created_at)
     select 'in_test_' || n, $1, 'T-' || n, 'open', 16500, 16500, 0, app_now(), app_now(), app_now() - make_interval(days => n)
     from generate_series(1, 45) as n`,
    [other.id],
  )
  const pages = [await list(other, 1), await list(other, 2), await list(other, 3), await list(other, 4)]
  assert.deepEqual(
    pages.map(({ data }) => data.length),
    [20, 20, 5, 0],
  )
  assert.deepEqual(pages[0].meta, { current_page: 1, last_page: 3, per_page: 20, total: 45 })
  assert.equal(new Set(pages.flatMap(({ data }) => data.map(({ number }: any) => number))).size, 45)
  assert.deepEqual([pages[0].data[0].number, pages[0].data[0].amount_due.value], ['T-1', 16_500])
  assert.equal((await download(other, pages[0].data[0].id)).status, 404)
})
