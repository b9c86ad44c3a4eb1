import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { googleAddressBook, noAddressBook } from '#server/providers/addresses.ts'
import { openYard, type Yard } from '#tests/support/yard.ts'

// The sandbox's address book through the real routes, then the real provider's adapter against a server that speaks its language.

let answer: (request: IncomingMessage, response: ServerResponse, body: string) => void = () => {}
const provider = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk) => (body += String(chunk)))
  request.on('end', () => answer(request, response, body))
})

let sandbox: Yard
let real: Yard
before(async () => {
  provider.listen(0, '127.0.0.1')
  await once(provider, 'listening')
  const url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
  sandbox = await openYard()
  real = await openYard({ addresses: googleAddressBook('the-key', { places: url, geocoding: url }) })
})
after(async () => {
  await Promise.all([sandbox.close(), real.close()])
  provider.closeAllConnections()
  provider.close()
})

const postCode = (yard: Yard, text: string) => yard.client().get(`/api/v1/location/post-code?postalCode=${encodeURIComponent(text)}`)
const details = (yard: Yard, text: string) => yard.client().get(`/api/v1/location/street-details?location=${encodeURIComponent(text)}`)

for (const text of ['M1 4BT', 'm14bt', 'Unit 2, M1 4BT']) {
  test(`the sandbox lists addresses for '${text}' and resolves each`, async () => {
    const { status, body } = await postCode(sandbox, text)
    assert.equal(status, 200)
    assert.ok(body.data.length > 0)
    for (const { location } of body.data) {
      const found = await details(sandbox, location)
      assert.deepEqual(Object.keys(found.body.data).sort(), [
        'address_line_1',
        'address_line_2',
        'county',
        'latitude',
        'longitude',
        'post_code',
        'town',
      ])
      assert.deepEqual([found.body.data.town, found.body.data.county, found.body.data.post_code], ['Manchester', 'England', 'M1 4BT'])
    }
  })
}

for (const text of ['ZZ99 9ZZ', '75008 Paris', 'Guernsey GY1 1AA', 'nowhere']) {
  test(`the sandbox knows nothing at '${text}': not the UK, or no premise or postcode`, async () => {
    assert.deepEqual((await postCode(sandbox, text)).body.data, [])
    const { status, body } = await details(sandbox, text)
    assert.deepEqual([status, body.code], [404, 'address_not_found'])
  })
}

test('a lookup of nothing is a 422 under its own field', async () => {
  assert.deepEqual(Object.keys((await postCode(sandbox, ' ')).body.errors), ['postalCode'])
  assert.deepEqual(Object.keys((await details(sandbox, '')).body.errors), ['location'])
})

const json = (response: ServerResponse, value: unknown, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))

test('the provider is asked for premises and postcodes in the UK alone', async () => {
  let asked: unknown
  answer = (request, response, body) => {
    asked = { path: request.url, key: request.headers['x-goog-api-key'], body: JSON.parse(body) }
    json(response, { suggestions: [{ placePrediction: { text: { text: '12 Foundry Lane, Manchester M1 4BT, UK' } } }, {}] })
  }
  const { body } = await postCode(real, 'M1 4BT')
  assert.deepEqual(asked, {
    path: '/v1/places:autocomplete',
    key: 'the-key',
    body: { input: 'M1 4BT', includedRegionCodes: ['gb'], includedPrimaryTypes: ['premise', 'postal_code'] },
  })
  assert.deepEqual(body.data, [{ label: '12 Foundry Lane, Manchester M1 4BT, UK', location: '12 Foundry Lane, Manchester M1 4BT, UK' }])
})

const component = (type: string, long_name: string) => ({ long_name, short_name: long_name, types: [type] })
const geocoded = (types: string[]) => ({
  status: 'OK',
  results: [
    {
      types,
      address_components: [
        component('street_number', '12'),
        component('route', 'Foundry Lane'),
        component('postal_town', 'Manchester'),
        component('administrative_area_level_1', 'England'),
        component('postal_code', 'M1 4BT'),
      ],
      geometry: { location: { lat: 53.478, lng: -2.235 } },
    },
  ],
})

test('the provider’s answer becomes the fields of SPEC §3, county holding the country', async () => {
  answer = (request, response) => {
    assert.equal(new URL(request.url ?? '', 'http://x').searchParams.get('components'), 'country:GB')
    json(response, geocoded(['premise']))
  }
  const { body } = await details(real, '12 Foundry Lane, Manchester M1 4BT')
  assert.deepEqual(body.data, {
    address_line_1: '12 Foundry Lane',
    address_line_2: null,
    town: 'Manchester',
    county: 'England',
    post_code: 'M1 4BT',
    latitude: 53.478,
    longitude: -2.235,
  })
})

test('an answer that is neither premise nor postcode is not found', async () => {
  answer = (_request, response) => json(response, geocoded(['locality', 'political']))
  assert.equal((await details(real, 'Manchester')).status, 404)
})

const failures: [string, typeof answer][] = [
  ['fails', (_request, response) => json(response, { error: {} }, 500)],
  ['answers nonsense', (_request, response) => response.end('<html>')],
  ['redirects', (_request, response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end()],
  ['refuses the key', (_request, response) => json(response, { status: 'REQUEST_DENIED', results: [] })],
  ['hangs up', (_request, response) => response.destroy()],
  ['never answers: given up before the caller would', () => {}],
]

for (const [what, how] of failures) {
  test(`a provider that ${what} is a 503 with Retry-After`, async () => {
    answer = how
    const { status, headers, body } = await details(real, 'M1 4BT')
    assert.deepEqual([status, headers.get('retry-after')], [503, '5'])
    assert.match(body.message, /try again/)
  })
}

test('without a provider the lookup says that it is not available', async () => {
  const yard = await openYard({ addresses: noAddressBook })
  assert.equal((await postCode(yard, 'M1 4BT')).status, 503)
  await yard.close()
})
