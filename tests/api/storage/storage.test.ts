import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import sharp from 'sharp'
import { mainName } from '#server/features/storage/keys.ts'
import type { Client } from '#tests/support/client.ts'
import { docx, gif, mp4, mp4WithPlace, mpeg, pdf, photo, png } from '#tests/support/files/made-files.ts'
import { demoUser } from '#tests/support/people.ts'
import { fetchBytes, openYardWith, put, reserve, storeNames, upload } from '#tests/support/files/stores.ts'
import type { Yard } from '#tests/support/yard.ts'

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

for (const store of storeNames) {
  describe(`uploads to ${store}`, () => {
    let yard: Yard
    let seller: Client
    let buyer: Client
    before(async () => {
      yard = await openYardWith(store)
      seller = await demoUser(yard, 'seller')
      buyer = await demoUser(yard, 'buyer')
    })
    after(() => yard.close())

    const stateOf = async (id: string) => (await yard.owner.query('select * from storage_objects where id = $1', [id])).rows[0]

    test('51: a photo is turned upright, made anew without EXIF or GPS, and thumbnailed', async () => {
      const sent = await photo()
      const metadata = await sharp(sent).metadata()
      assert.ok(metadata.exif?.includes('SecretPhone') && metadata.orientation === 6, 'the photo sent says where and by what')
      const { status, body, id } = await upload(seller, { bytes: sent, mime_type: 'image/jpeg', filename: 'Copper load.JPG' })
      assert.equal(status, 200, JSON.stringify(body))
      const item = body.data
      assert.deepEqual(
        [item.id, item.storage_object_id, item.media_type, item.mime_type, item.file_type, item.file_name, item.asset_type],
        [id, id, 'ListingImage', 'image/jpeg', 'image/jpeg', 'Copper load.jpg', null],
      )
      assert.deepEqual([item.width, item.height], [600, 900])
      const served = await fetchBytes(yard, item.media.url)
      assert.equal(served.status, 200)
      assert.equal(served.headers.get('content-type'), 'image/jpeg')
      assert.ok(!served.bytes.includes('SecretPhone') && !served.bytes.includes('Exif'))
      assert.deepEqual([...served.bytes.subarray(-2)], [0xff, 0xd9], 'nothing behind the end')
      assert.equal((await sharp(served.bytes).metadata()).exif, undefined)
      assert.deepEqual(Object.keys(item.thumbnails), ['320', '640', '1280'])
      assert.equal(item.thumbnail_url, item.thumbnails[320])
      for (const [width, url] of Object.entries<string>(item.thumbnails)) {
        // by hand: this process, being the server too, has no decoder for WebP
        const { bytes } = await fetchBytes(yard, url)
        assert.deepEqual([bytes.toString('latin1', 8, 16), bytes.readUInt16LE(26)], ['WEBPVP8 ', Math.min(Number(width), 600)])
      }
      const row = await stateOf(id)
      assert.equal(row.state, 'ready')
      assert.deepEqual(row.sha256, createHash('sha256').update(served.bytes).digest())
    })

    test('51: a very large photo is served within 4096 pixels', async () => {
      const { body } = await upload(seller, { bytes: await photo(6_000, 4_000), mime_type: 'image/jpeg' })
      assert.deepEqual([body.data.height, body.data.width], [4_096, 2_731])
    })

    const acceptedFiles: [string, () => Promise<Buffer> | Buffer, object, string][] = [
      ['image/jpg', photo, {}, 'ListingImage'],
      ['image/png', png, {}, 'ListingImage'],
      ['image/gif', gif, {}, 'ListingImage'],
      ['video/mp4', mp4, {}, 'ListingVideo'],
      ['video/mpeg', mpeg, {}, 'ListingVideo'],
      ['video/mpeg', () => mpeg('D'), {}, 'ListingVideo'],
      ['application/pdf', pdf, { type: 2, storage_object_kind: 1 }, 'ListingStorageObject'],
      [DOCX, docx, { type: 3, storage_object_kind: 7 }, 'ListingStorageObject'],
      ['image/png', png, { type: 3, storage_object_kind: 7 }, 'ListingStorageObject'],
    ]
    for (const [mime_type, make, more, mediaType] of acceptedFiles) {
      test(`${mime_type} is accepted as ${mediaType}`, async () => {
        const { status, body } = await upload(seller, { bytes: await make(), mime_type, ...more })
        assert.equal(status, 200, JSON.stringify(body))
        assert.equal(body.data.media_type, mediaType)
        assert.equal((await fetchBytes(yard, body.data.media.url, seller)).status, 200)
      })
    }

    test('26: a user’s document without a kind is a merchant document; a listing’s has none until it is used', async () => {
      const kindOf = async (type: number) => {
        const { status, body } = await upload(seller, { bytes: pdf(), mime_type: 'application/pdf', type })
        return [status, body.data?.asset_type]
      }
      assert.deepEqual(
        [await kindOf(3), await kindOf(2)],
        [
          [200, 7],
          [200, null],
        ],
      )
    })

    test('a video is kept as it is and served in ranges', async () => {
      const bytes = mp4(3_000_000)
      const { body } = await upload(seller, { bytes, mime_type: 'video/mp4' })
      const { url } = body.data.media
      assert.equal(body.data.thumbnail_url, '/video-poster.svg')
      assert.deepEqual((await fetchBytes(yard, url)).bytes, bytes)
      const middle = await fetchBytes(yard, url, undefined, { range: 'bytes=100-199' })
      assert.equal(middle.status, 206)
      assert.deepEqual(middle.bytes, bytes.subarray(100, 200))
      assert.equal(middle.headers.get('content-range'), `bytes 100-199/${bytes.length}`)
    })

    test('24: a video loses its place, times and maker, in its index and in a track of positions, and keeps its picture', async () => {
      const bytes = mp4WithPlace()
      const { status, body, id } = await upload(seller, { bytes, mime_type: 'video/mp4' })
      assert.equal(status, 200, JSON.stringify(body))
      const served = (await fetchBytes(yard, body.data.media.url)).bytes
      assert.equal(served.length, bytes.length)
      for (const secret of ['53.4780', 'SecretPhone', 'location', Buffer.from([0xe1, 0x23, 0x45, 0x67])])
        assert.deepEqual([bytes.includes(secret), served.includes(secret)], [true, false], String(secret))
      for (const kept of ['scrap', 'vide', 'stsz']) assert.ok(served.includes(kept))
      assert.equal(served.indexOf('trak'), bytes.indexOf('trak'), 'everything that is kept stays at its place')
      assert.deepEqual((await stateOf(id)).sha256, createHash('sha256').update(served).digest())
    })

    test('completing twice answers the same, also at the same moment', async () => {
      const bytes = await photo(300, 200)
      const reserved = await reserve(seller, { bytes, mime_type: 'image/jpeg' })
      const { upload_url, storage_object_id: id } = reserved.body.data
      await put(upload_url, bytes, 'image/jpeg')
      const answers = await Promise.all(Array.from({ length: 5 }, () => seller.post(`/api/v1/storage-object/${id}/complete`)))
      for (const { status, body } of answers) assert.deepEqual([status, body], [200, answers[0]?.body])
      assert.equal((await fetchBytes(yard, answers[0]?.body.data.media.url)).status, 200)
    })

    test('completing before the file arrived is a 409, and can be tried again', async () => {
      const bytes = await png()
      const { upload_url, storage_object_id: id } = (await reserve(seller, { bytes, mime_type: 'image/png' })).body.data
      const early = await seller.post(`/api/v1/storage-object/${id}/complete`)
      assert.deepEqual([early.status, early.body.code], [409, 'not_uploaded'])
      await put(upload_url, bytes, 'image/png')
      assert.equal((await seller.post(`/api/v1/storage-object/${id}/complete`)).status, 200)
    })

    test('36: a signed address takes no other key, no other type and no other size', async () => {
      const bytes = await png()
      const { upload_url, storage_object_id: id, upload_headers } = (await reserve(seller, { bytes, mime_type: 'image/png' })).body.data
      assert.deepEqual(upload_headers, { 'Content-Type': 'image/png' })
      const other = (await reserve(seller, { bytes, mime_type: 'image/png' })).body.data.storage_object_id
      assert.equal(await put(upload_url.replace(id, other), bytes, 'image/png'), 403)
      assert.equal(await put(upload_url, bytes, 'text/html'), 403)
      assert.equal(await put(upload_url, Buffer.concat([bytes, Buffer.from('x')]), 'image/png'), 403)
      assert.equal(await put(upload_url, bytes.subarray(1), 'image/png'), 403)
      assert.equal((await stateOf(id)).state, 'reserved')
      assert.equal(await put(upload_url, bytes, 'image/png'), 200)
    })

    test('36: what is sent again after the check changes nothing that is served', async () => {
      const bytes = await png()
      const { upload_url, storage_object_id: id } = (await reserve(seller, { bytes, mime_type: 'image/png' })).body.data
      await put(upload_url, bytes, 'image/png')
      const { body } = await seller.post(`/api/v1/storage-object/${id}/complete`)
      const before = await fetchBytes(yard, body.data.media.url)
      const again = await put(upload_url, Buffer.alloc(bytes.length, '<'), 'image/png')
      // S3 takes it until the address expires, into quarantine, from where nothing is served
      if (store === 'disk') assert.equal(again, 403)
      assert.deepEqual((await fetchBytes(yard, body.data.media.url)).bytes, before.bytes)
      assert.deepEqual((await seller.post(`/api/v1/storage-object/${id}/complete`)).body, body)
      assert.deepEqual((await fetchBytes(yard, body.data.media.url)).bytes, before.bytes)
    })

    test('36: a merchant’s document is its owner’s and the administrators’ who check it, and is saved and not opened', async () => {
      const { body } = await upload(seller, {
        bytes: pdf(),
        mime_type: 'application/pdf',
        filename: 'Licence “Leeds” £.pdf',
        type: 3,
        storage_object_kind: 7,
      })
      const { url } = body.data.media
      const own = await fetchBytes(yard, url, seller)
      assert.equal(own.status, 200)
      const disposition = own.headers.get('content-disposition') ?? ''
      assert.match(disposition, /^attachment; filename="[\w .()-]+"; filename\*=UTF-8''Licence%20%E2%80%9CLeeds%E2%80%9D%20%C2%A3\.pdf$/)
      assert.equal((await fetchBytes(yard, url, await demoUser(yard, 'admin'))).status, 200)
      for (const stranger of [undefined, buyer]) {
        const refused = await fetchBytes(yard, url, stranger)
        assert.deepEqual([refused.status, JSON.parse(refused.bytes.toString()).code], [404, 'not_found'])
      }
    })

    test('21: another’s upload is not there: same answer as for nobody’s, and nothing happens to it', async () => {
      const { id } = await upload(seller, { bytes: await png(), mime_type: 'image/png' })
      const nobodys = randomUUID()
      for (const [method, path] of [
        ['POST', (of: string) => `/api/v1/storage-object/${of}/complete`],
        ['DELETE', (of: string) => `/api/v1/storage-object/${of}/`],
      ] as const) {
        const [theirs, none] = [await buyer.ask(method, path(id)), await buyer.ask(method, path(nobodys))]
        assert.equal(theirs.status, 404)
        assert.deepEqual(theirs.body, none.body)
      }
      assert.equal((await stateOf(id)).state, 'ready')
    })

    test('22: any id is a 404 or a 422, never a fault', async () => {
      const uuid = (await yard.owner.query('select id from users limit 1')).rows[0].id
      for (const id of ['-1', '0', String(2n ** 63n), '1e3', '%00', '..%2f', '[]', 'null', uuid, `${uuid}'`, 'a'.repeat(300)]) {
        for (const [method, path] of [
          ['POST', `/api/v1/storage-object/${id}/complete`],
          ['DELETE', `/api/v1/storage-object/${id}/`],
          ['GET', `/files/${id}/image.jpg`],
          ['GET', `/files/${id}/..%2f..%2fsession-secret`],
          ['PUT', `/files/upload/incoming/${id}?signature=x&expires=1`],
          ['PUT', `/files/upload/${id}`],
        ] as const) {
          const { status } = await seller.ask(method, path, method === 'PUT' ? { raw: 'x', headers: { 'content-type': 'image/png' } } : {})
          assert.ok([400, 403, 404, 414, 419, 422].includes(status), `${method} ${path}: ${status}`)
        }
      }
    })

    test('a removed upload is gone, for good and again', async () => {
      const { body, id } = await upload(seller, { bytes: await png(), mime_type: 'image/png' })
      assert.equal((await seller.delete(`/api/v1/storage-object/${id}/`)).status, 204)
      assert.equal((await seller.delete(`/api/v1/storage-object/${id}`)).status, 204)
      assert.equal((await fetchBytes(yard, body.data.media.url)).status, 404)
      assert.equal((await seller.post(`/api/v1/storage-object/${id}/complete`)).status, 404)
      assert.equal((await stateOf(id)).state, 'deleted')
    })

    test('52: whatever is ready is there, with the bytes of its hash', async () => {
      const { rows } = await yard.owner.query(`select id, mime_type, sha256 from storage_objects where state = 'ready' and owner_id = $1`, [
        (await seller.get('/api/v1/auth/me')).body.data.id,
      ])
      assert.ok(rows.length > 5)
      for (const { id, mime_type, sha256 } of rows) {
        const { status, bytes } = await fetchBytes(yard, `/files/${id}/${mainName({ mime_type })}`, seller)
        assert.equal(status, 200, `${id} ${mime_type}`)
        assert.deepEqual(createHash('sha256').update(bytes).digest(), sha256, `${id} ${mime_type}`)
      }
    })
  })
}
