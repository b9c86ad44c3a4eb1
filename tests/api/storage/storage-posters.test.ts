import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import sharp from 'sharp'
import type { Client } from '#tests/support/client.ts'
import { html, mp4, pdf, photo, png } from '#tests/support/files/made-files.ts'
import { demoUser } from '#tests/support/people.ts'
import { fetchBytes, openYardWith, put, reserve, storeNames, upload } from '#tests/support/files/stores.ts'
import type { Yard } from '#tests/support/yard.ts'

for (const store of storeNames) {
  describe(`posters in ${store}`, () => {
    let yard: Yard
    let seller: Client
    let buyer: Client
    before(async () => {
      yard = await openYardWith(store)
      seller = await demoUser(yard, 'seller')
      buyer = await demoUser(yard, 'buyer')
    })
    after(() => yard.close())

    const rowOf = async (id: string) => (await yard.owner.query('select * from storage_objects where id = $1', [id])).rows[0]
    const complete = (id: string, body?: object) => seller.post(`/api/v1/storage-object/${id}/complete`, body)

    /** A video that has arrived and waits for its check. */
    async function sentVideo(bytes = mp4()): Promise<string> {
      const { upload_url, storage_object_id } = (await reserve(seller, { bytes, mime_type: 'video/mp4', filename: 'yard.mp4' })).body.data
      assert.equal(await put(upload_url, bytes, 'video/mp4'), 200)
      return storage_object_id
    }

    test('a poster goes with its video: made anew, thumbnailed, served under the video’s own address', async () => {
      const poster = await upload(seller, { bytes: await photo(), mime_type: 'image/jpeg' })
      const video = await sentVideo()
      const { status, body } = await complete(video, { poster_storage_object_id: poster.id })
      assert.equal(status, 200, JSON.stringify(body))
      const item = body.data
      assert.deepEqual(
        [item.media_type, item.thumbnail_url, item.poster_url, Object.keys(item.thumbnails)],
        ['ListingVideo', `/files/${video}/320.webp`, `/files/${video}/poster.jpg`, ['320', '640', '1280']],
      )
      const shown = await fetchBytes(yard, item.poster_url)
      assert.deepEqual([shown.status, shown.headers.get('content-type')], [200, 'image/jpeg'])
      const { width, height, exif } = await sharp(shown.bytes).metadata()
      assert.deepEqual([width, height, exif], [600, 900, undefined])
      assert.equal((await fetchBytes(yard, item.thumbnail_url)).status, 200)
      assert.deepEqual((await fetchBytes(yard, item.media.url)).bytes, mp4())
      assert.deepEqual((await complete(video)).body, body, 'asked again it answers the same')
    })

    test('the poster’s own upload is done with, and goes with the video when that goes', async () => {
      const poster = await upload(seller, { bytes: await png(), mime_type: 'image/png' })
      const video = await sentVideo()
      const { body } = await complete(video, { poster_storage_object_id: poster.id })
      assert.equal((await rowOf(poster.id)).state, 'deleted')
      assert.equal((await fetchBytes(yard, poster.body.data.media.url)).status, 404)
      assert.equal(body.data.poster_url, `/files/${video}/poster.png`)
      assert.equal((await seller.delete(`/api/v1/storage-object/${video}/`)).status, 204)
      for (const url of [body.data.poster_url, body.data.thumbnail_url]) assert.equal((await fetchBytes(yard, url)).status, 404)
    })

    test('a video without a poster has the stock one', async () => {
      const { body } = await complete(await sentVideo())
      assert.deepEqual(
        [body.data.thumbnail_url, body.data.poster_url, body.data.thumbnails],
        ['/video-poster.svg', '/video-poster.svg', {}],
      )
    })

    const notPosters: [string, () => Promise<string>][] = [
      ['another’s photo', async () => (await upload(buyer, { bytes: await png(), mime_type: 'image/png' })).id],
      ['nobody’s', async () => randomUUID()],
      ['a video', async () => (await upload(seller, { bytes: mp4(), mime_type: 'video/mp4' })).id],
      [
        'a document',
        async () => (await upload(seller, { bytes: pdf(), mime_type: 'application/pdf', type: 3, storage_object_kind: 7 })).id,
      ],
      [
        'a photo that is a document',
        async () => (await upload(seller, { bytes: await png(), mime_type: 'image/png', type: 3, storage_object_kind: 7 })).id,
      ],
      [
        'a photo that was not completed',
        async () => (await reserve(seller, { bytes: await png(), mime_type: 'image/png' })).body.data.storage_object_id,
      ],
      ['a page that calls itself a JPEG', async () => (await upload(seller, { bytes: html, mime_type: 'image/jpeg' })).id],
    ]
    for (const [what, make] of notPosters) {
      test(`${what} is refused as a poster, and the video is not lost`, async () => {
        const video = await sentVideo()
        const poster = await make()
        const { status, body } = await complete(video, { poster_storage_object_id: poster })
        assert.equal(status, 422)
        assert.match(body.errors.poster_storage_object_id[0], /not a photo of yours that is ready/)
        assert.equal((await complete(video)).status, 200)
        assert.notEqual((await rowOf(poster))?.state, 'deleted')
      })
    }

    test('a photo has no poster, and nothing else may be said at completion', async () => {
      const poster = await upload(seller, { bytes: await png(), mime_type: 'image/png' })
      const bytes = await png()
      const { upload_url, storage_object_id: id } = (await reserve(seller, { bytes, mime_type: 'image/png' })).body.data
      await put(upload_url, bytes, 'image/png')
      const refused = await complete(id, { poster_storage_object_id: poster.id })
      assert.deepEqual([refused.status, refused.body.errors], [422, { poster_storage_object_id: ['Only a video has a poster.'] }])
      assert.equal((await complete(id, { state: 'ready' })).status, 422)
      assert.equal((await complete(id, {})).status, 200)
    })
  })
}
