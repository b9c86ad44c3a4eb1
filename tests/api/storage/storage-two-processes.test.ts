import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { left } from '#tests/support/auctions/sale.ts'
import { newClient, type Client } from '#tests/support/client.ts'
import { mp4, pdf, photo, png } from '#tests/support/files/made-files.ts'
import { scratchFolder } from '#tests/support/files/scratch.ts'
import { put, reserve, s3Server, type Sent } from '#tests/support/files/stores.ts'
import { demoUser } from '#tests/support/people.ts'
import { closeSound, openYard, type Yard } from '#tests/support/yard.ts'

// A listing with its files from the first upload to the last removal. The files are in S3, and the two processes that serve it share a
// database and no disk: every step is asked of the other one.

let store: Awaited<ReturnType<typeof s3Server>>
let yard: Yard
let otherUrl: string
let otherDataDir: string
/** The same people at one process and at the other. */
let seller: [Client, Client]
let buyer: [Client, Client]

before(async () => {
  store = await s3Server()
  yard = await openYard({ demo: true, env: store.env })
  otherDataDir = await scratchFolder('other-disk')
  otherUrl = (await yard.another({ DATA_DIR: otherDataDir })).url
  const atBoth = async (name: 'seller' | 'buyer'): Promise<[Client, Client]> => {
    const client = await demoUser(yard, name)
    return [client, newClient(otherUrl, Object.fromEntries(client.cookies))]
  }
  seller = await atBoth('seller')
  buyer = await atBoth('buyer')
})
after(async () => {
  await closeSound(yard)
  await store.close()
})

/** Reserved at one process, sent to the store, checked by the other. */
async function uploadAcross(sent: Sent, [one, other]: [Client, Client] = seller) {
  const reserved = await reserve(one, sent)
  assert.equal(reserved.status, 201, JSON.stringify(reserved.body))
  const { upload_url, storage_object_id: id } = reserved.body.data
  assert.equal(new URL(upload_url).origin, store.env.S3_ENDPOINT, 'browsers send to the store')
  assert.equal(await put(upload_url, sent.bytes, sent.mime_type), 200)
  const done = await other.post(`/api/v1/storage-object/${id}/complete`)
  assert.equal(done.status, 200, JSON.stringify(done.body))
  return { id: id as string, item: done.body.data }
}

/** Where a process sends whoever asks for a file, and what is there. */
async function fetched(client: Client, url: string) {
  const { status, headers } = await client.get(url)
  const address = headers.get('location') ?? ''
  if (status !== 302) return { status, address, bytes: Buffer.alloc(0) }
  assert.equal(new URL(address).origin, store.env.S3_ENDPOINT)
  assert.equal(new URL(address).searchParams.get('X-Amz-Expires'), '300')
  const response = await fetch(address)
  return { status: response.status, address, bytes: Buffer.from(await response.arrayBuffer()) }
}

const statusAt = async (address: string) => (await fetch(address)).status
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

test('a listing with photos, video and document is made, seen, changed and cleared by two processes that share no disk', async () => {
  const [here, there] = seller
  const first = await uploadAcross({ bytes: await photo(), mime_type: 'image/jpeg' })
  const second = await uploadAcross({ bytes: await png(), mime_type: 'image/png', filename: 'load.png' }, [there, here])
  const film = mp4(200_000)
  const video = await uploadAcross({ bytes: film, mime_type: 'video/mp4', filename: 'load.mp4' })
  const ticket = await uploadAcross({ bytes: pdf(), mime_type: 'application/pdf', filename: 't.pdf', type: 2, storage_object_kind: 1 })

  const form = {
    title: 'Bright copper wire',
    description: 'Clean, dry, in bags.',
    material_id: 'copper_bright',
    price_basis: 'lot',
    start_price: 100_00,
    duration_days: 3,
    transfer_method_id: 1,
    use_default_address: true,
    media: [first.id, second.id, video.id],
    documents: [ticket.id],
  }
  const made = await there.post('/api/v1/listings', form)
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const { id } = made.body.data
  await left(yard, id, 'Processing')

  const [atOne, atOther] = await Promise.all(buyer.map(async (client) => (await client.get(`/api/v1/listings/${id}`)).body.data))
  assert.equal(atOne.status.name, 'Active')
  assert.deepEqual(atOther.media, atOne.media)
  assert.equal(atOne.media.length, 3)
  const hashes = new Map<string, string>(
    (await yard.owner.query(`select id, encode(sha256, 'hex') as hash from storage_objects where id = any($1)`, [form.media])).rows.map(
      ({ id: object, hash }) => [object, hash],
    ),
  )
  for (const { storage_object_id, media, thumbnail_url } of atOne.media) {
    for (const client of buyer) {
      const { status, bytes } = await fetched(client, media.url)
      assert.deepEqual([status, hashOf(bytes)], [200, hashes.get(storage_object_id)])
      if (storage_object_id !== video.id) assert.equal((await fetched(client, thumbnail_url)).status, 200)
    }
  }

  const held = await here.delete(`/api/v1/storage-object/${second.id}/`)
  assert.equal(held.status, 409, 'what a listing holds cannot be deleted')
  const taken = await fetched(buyer[0], second.item.media.url)
  const edited = await here.put(`/api/v1/listings/${id}`, { ...form, media: [first.id, video.id] })
  assert.equal(edited.status, 200, JSON.stringify(edited.body))
  assert.equal((await there.delete(`/api/v1/storage-object/${second.id}/`)).status, 204)
  assert.equal(await statusAt(taken.address), 404, 'its bytes are gone from the store')
  for (const client of [...buyer, ...seller]) assert.equal((await client.get(second.item.media.url)).status, 404)
  assert.equal((await fetched(buyer[1], first.item.media.url)).status, 200, 'the others stay')
})

test('a document stays its owner’s at both processes, and an address of the store that was changed opens nothing', async () => {
  const own = await uploadAcross({ bytes: pdf(), mime_type: 'application/pdf', filename: 'l.pdf', type: 3, storage_object_kind: 7 })
  for (const client of buyer) assert.equal((await client.get(own.item.media.url)).status, 404)
  for (const client of seller) {
    const { status, address } = await fetched(client, own.item.media.url)
    assert.equal(status, 200)
    assert.equal(await statusAt(address.replace(/X-Amz-Signature=[\da-f]{8}/, 'X-Amz-Signature=00000000')), 403)
  }
})

test('neither process has written a file', () => {
  for (const folder of [yard.dataDir, otherDataDir]) assert.ok(!existsSync(path.join(folder, 'files')), folder)
})
