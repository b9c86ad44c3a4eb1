import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import Pdf from 'pdfkit'
import sharp from 'sharp'
import type { Client } from '#tests/support/client.ts'
import {
  djvu,
  docx,
  eicar,
  garbageMp4,
  gif,
  html,
  manyFrames,
  mp4,
  mpeg,
  packedSquare,
  pdf,
  pdfWithPackedScript,
  photo,
  pixelBomb,
  png,
  svg,
  tiff,
  zip,
} from '#tests/support/files/made-files.ts'
import { demoUser } from '#tests/support/people.ts'
import { fetchBytes, openYardWith, put, reserve, storeNames, upload, type Sent } from '#tests/support/files/stores.ts'
import type { Yard } from '#tests/support/yard.ts'

// Checklist 35: each is refused or neutralised, and what is refused leaves nothing behind.

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const document = { type: 3, storage_object_kind: 7 } as const
const jpeg = (make: () => Buffer | Promise<Buffer>) => async (): Promise<Sent> => ({ bytes: await make(), mime_type: 'image/jpeg' })
const asPdf = (make: () => Buffer) => async (): Promise<Sent> => ({ bytes: make(), mime_type: 'application/pdf', ...document })
const asDocx = (make: () => Buffer) => async (): Promise<Sent> => ({ bytes: make(), mime_type: DOCX, ...document })

const wrongType = /is not a [A-Z0-9]+, whatever its name says/
const unplayable = /cannot be played/
const active = /scripts or starts programs/
const rels = (type: string, target: string, mode = 'External') => ({
  name: 'word/_rels/document.xml.rels',
  content: `<Relationships><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}" TargetMode='${mode}'/></Relationships>`,
})
const bomb = { name: 'word/media/a.xml', content: Buffer.alloc(30 * 1024 * 1024) }

const refused: [string, () => Promise<Sent>, RegExp][] = [
  ['an SVG named jpg', jpeg(() => svg), wrongType],
  ['HTML named jpg', jpeg(() => html), wrongType],
  ['a TIFF renamed', jpeg(tiff), wrongType],
  ['a DjVu renamed', jpeg(() => djvu), wrongType],
  ['a PNG that says it is a JPEG', jpeg(png), wrongType],
  ['EICAR named jpg', jpeg(() => eicar), wrongType],
  ['EICAR named pdf', asPdf(() => eicar), /PDF is damaged/],
  ['a truncated JPEG', jpeg(async () => (await photo()).subarray(0, 1_500)), /damaged or incomplete/],
  ['225 megapixels in a small PNG', async () => ({ bytes: pixelBomb(), mime_type: 'image/png' }), /too many pixels/],
  ['27 megapixels in a PNG', async () => ({ bytes: packedSquare(5_200), mime_type: 'image/png' }), /too many pixels/],
  ['56 megapixels in a JPEG', jpeg(() => photo(8_000, 7_000)), /too many pixels/],
  ['a page named mp4', async () => ({ bytes: html, mime_type: 'video/mp4' }), wrongType],
  ['an mp4 of noise after its first box', async () => ({ bytes: garbageMp4.noise(), mime_type: 'video/mp4' }), unplayable],
  ['an mp4 without a track', async () => ({ bytes: garbageMp4.noTracks(), mime_type: 'video/mp4' }), unplayable],
  ['an mp4 that describes nothing', async () => ({ bytes: garbageMp4.noDescription(), mime_type: 'video/mp4' }), unplayable],
  ['an mp4 that ends in its middle', async () => ({ bytes: garbageMp4.cutShort(), mime_type: 'video/mp4' }), unplayable],
  ['an MPEG without a packet of video', async () => ({ bytes: mpeg('!', true), mime_type: 'video/mpeg' }), unplayable],
  ['an mp4 that says it is MPEG', async () => ({ bytes: mp4(), mime_type: 'video/mpeg' }), wrongType],
  ['a docx that bursts', asDocx(() => docx(bomb)), /unpacks to far more/],
  ['a docx that lies about a size', asDocx(() => docx({ name: 'x', content: 'x', claims: 0xfffffff0 })), /damaged/],
  ['a docx with a macro', asDocx(() => docx({ name: 'word/vbaProject.bin', content: 'macro' })), /macros/],
  ['a zip that is no docx', asDocx(() => zip([{ name: 'a.txt', content: 'a' }])), /damaged/],
  ['a docx with bytes behind its end', asDocx(() => Buffer.concat([docx(), html])), /damaged/],
  ['a docx that is cut off', asDocx(() => docx().subarray(0, 300)), /damaged/],
  ['a PDF that is HTML', asPdf(() => html), /damaged/],
  ['a PDF with JavaScript', asPdf(() => pdf('/OpenAction << /S /JavaScript /JS (app.alert(1)) >>')), active],
  ['a PDF with JavaScript under another spelling', asPdf(() => pdf('/OpenAction << /S /J#61vaScript /J#53 (x) >>')), active],
  ['a PDF with a script packed away', asPdf(() => pdfWithPackedScript()), active],
  ['a PDF with a script packed away behind a string', asPdf(() => pdfWithPackedScript('/Note (9 0 obj) ')), active],
  ['a PDF packed in a way of its own', asPdf(() => pdfWithPackedScript('/DecodeParms << /Predictor 12 >> ')), /damaged/],
  ['a PDF that starts programs', asPdf(() => pdf('/OpenAction << /S /Launch /F (cmd.exe) >>')), active],
  ['24: a PDF with a script in other letters and without spaces', asPdf(() => pdf('/AA<</O<</S/JavaScr#69pt/JS<61>>>>>')), active],
  ['24: a PDF with an old film in it', asPdf(() => pdf('/X << /Subtype /Movie >>')), active],
  ['24: a PDF with a file inside', asPdf(() => pdf('/Names << /EmbeddedFiles 9 0 R >>')), /other files inside/],
  ['24: a PDF that leads into another file', asPdf(() => pdf('/OpenAction << /S /GoToR /F (\\\\host\\x.pdf) >>')), /elsewhere/],
  ['24: a PDF that sends a form', asPdf(() => pdf('/OpenAction<</S/SubmitForm/F(http://x.test)>>')), /elsewhere/],
  [
    '24: a PDF whose picture is in another file',
    asPdf(() => pdf('', '7 0 obj\n<< /Length 0 /F << /FS /URL /F (http://x.test/a) >> >>\nstream\n\nendstream\nendobj\n')),
    /elsewhere/,
  ],
  ['24: a docx whose template is elsewhere', asDocx(() => docx(rels('attachedTemplate', 'http://x.test/t.dotm'))), /fetches something/],
  [
    '24: a docx whose picture is elsewhere, in other letters',
    asDocx(() => docx(rels('image', 'http://x.test/a.png', '&#69;xternal'))),
    /fetches something/,
  ],
  ['24: a docx with a link into a file share', asDocx(() => docx(rels('hyperlink', 'file://host/x'))), /fetches something/],
  ['24: a docx with a sheet inside', asDocx(() => docx({ name: 'word/embeddings/a.xlsx', content: 'x' })), /other files inside/],
  ['24: a docx with a page inside', asDocx(() => docx(rels('aFChunk', 'a.html', 'Internal'))), /other files inside/],
  [
    '24: a docx with a field that starts a program',
    asDocx(() =>
      docx({
        name: 'word/header1.xml',
        content: '<w:p><w:fldChar w:fldCharType="begin"/><w:instrText> DD</w:instrText><w:instrText>EAUTO c:\\cmd.exe</w:instrText></w:p>',
      }),
    ),
    /fetches something/,
  ],
  [
    '24: a docx with entities of its own',
    asDocx(() => docx({ name: 'word/a.xml', content: '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>' })),
    /damaged/,
  ],
  ['24: a docx in another encoding', asDocx(() => docx({ name: 'word/a.xml', content: Buffer.from('\ufeff<a/>', 'utf16le') })), /damaged/],
  ['a PDF behind a password', asPdf(() => pdf('', '5 0 obj\n<< /Filter /Standard >>\nendobj\ntrailer << /Encrypt 5 0 R >>\n')), /password/],
]

for (const store of storeNames) {
  describe(`hostile files in ${store}`, () => {
    let yard: Yard
    let seller: Client
    before(async () => {
      yard = await openYardWith(store)
      seller = await demoUser(yard, 'seller')
    })
    after(() => yard.close())

    for (const [what, make, reason] of refused) {
      test(`35: ${what} is refused, with the reason, and is gone`, async () => {
        const { status, body, id } = await upload(seller, await make())
        assert.equal(status, 422, JSON.stringify(body))
        assert.match(body.errors.file[0], reason)
        const { rows } = await yard.owner.query('select state, object_key from storage_objects where id = $1', [id])
        assert.deepEqual(rows[0], { state: 'rejected', object_key: null })
        const again = await seller.post(`/api/v1/storage-object/${id}/complete`)
        assert.deepEqual([again.status, again.body], [422, body])
        for (const name of ['image.jpg', 'document.pdf', 'video.mp4'])
          assert.equal((await fetchBytes(yard, `/files/${id}/${name}`, seller)).status, 404)
        assert.equal((await seller.delete(`/api/v1/storage-object/${id}/`)).status, 204)
      })
    }

    test('24: a PDF of a usual program and a docx with a link are accepted as they are', async () => {
      const made = new Pdf({ info: { Title: 'Invoice (no. 7) /JS 100% paid' } })
      made
        .text('Weighbridge ticket', { link: 'https://yard.test/invoices' })
        .addPage()
        .image(await png(), 10, 10)
      made.end()
      const invoice = await buffer(made)
      const link = docx(rels('hyperlink', 'https://yard.test/'))
      for (const sent of [await asPdf(() => invoice)(), await asDocx(() => link)()]) {
        const { status, body } = await upload(seller, sent)
        assert.equal(status, 200, JSON.stringify(body))
      }
    })

    test('35: a JPEG that is a page as well comes out as nothing but a picture', async () => {
      const bytes = Buffer.concat([await photo(), Buffer.from('<script>alert(1)</script>')])
      const { status, body } = await upload(seller, { bytes, mime_type: 'image/jpeg' })
      assert.equal(status, 200)
      const served = await fetchBytes(yard, body.data.media.url)
      assert.ok(!served.bytes.includes('<script>'))
      assert.deepEqual([...served.bytes.subarray(-2)], [0xff, 0xd9])
    })

    test('35: a GIF of ten thousand frames comes out as one', async () => {
      const { status, body } = await upload(seller, { bytes: manyFrames(), mime_type: 'image/gif' })
      assert.equal(status, 200, JSON.stringify(body))
      const served = await sharp((await fetchBytes(yard, body.data.media.url)).bytes).metadata()
      assert.deepEqual([served.format, served.pages ?? 1], ['gif', 1])
    })

    test('35: a GIF with a page behind its end loses it', async () => {
      const { body } = await upload(seller, { bytes: Buffer.concat([await gif(), html]), mime_type: 'image/gif' })
      assert.ok(!(await fetchBytes(yard, body.data.media.url)).bytes.includes('script'))
    })

    const names: [string, string][] = [
      ['../../x', 'x.png'],
      ['..\\..\\windows\\x.png', 'x.png'],
      ['a.php.jpg', 'a.php.png'],
      ['con', '_con.png'],
      ['CON.jpg', '_CON.png'],
      ['a'.repeat(300), `${'a'.repeat(100)}.png`],
      ['a\r\nSet-Cookie: x=1.png', 'aSet-Cookie_ x=1.png'],
      ['\u202egnp.exe', 'gnp.png'],
      ['"; filename=evil.html', '__ filename=evil.png'],
      ['.htaccess', 'htaccess.png'],
      ['...', 'file.png'],
      ['Kupfer für Jörg 😀.png', 'Kupfer für Jörg 😀.png'],
    ]
    for (const [given, shown] of names) {
      test(`35: the name ${JSON.stringify(given.slice(0, 30))} is shown as ${JSON.stringify(shown.slice(0, 30))}`, async () => {
        const { status, body } = await upload(seller, { bytes: await png(), mime_type: 'image/png', filename: given })
        assert.equal(status, 200, JSON.stringify(body))
        assert.equal(body.data.file_name, shown)
        const served = await fetchBytes(yard, body.data.media.url)
        assert.equal(served.status, 200)
        assert.equal(served.headers.get('set-cookie'), null)
        assert.equal(served.headers.get('content-type'), 'image/png')
      })
    }

    const notReserved: [string, object, string][] = [
      ['an SVG', { mime_type: 'image/svg+xml' }, 'mime_type'],
      ['HTML', { mime_type: 'text/html' }, 'mime_type'],
      ['a PDF as listing media', { mime_type: 'application/pdf' }, 'mime_type'],
      ['a video as a document', { mime_type: 'video/mp4', type: 3, storage_object_kind: 7 }, 'mime_type'],
      ['a type such as __proto__', { mime_type: '__proto__' }, 'mime_type'],
      ['a photo above 20 MB', { file_size: 20 * 1024 * 1024 + 1 }, 'file_size'],
      ['a video above 200 MB', { mime_type: 'video/mp4', file_size: 200 * 1024 * 1024 + 1 }, 'file_size'],
      [
        'a document above 20 MB',
        { mime_type: 'application/pdf', file_size: 20 * 1024 * 1024 + 1, type: 2, storage_object_kind: 1 },
        'file_size',
      ],
      ['an empty file', { file_size: 0 }, 'file_size'],
      ['half a byte', { file_size: 1.5 }, 'file_size'],
      ['2^63 bytes', { file_size: 2 ** 63 }, 'file_size'],
      ['an upload kind that is not there', { type: 4 }, 'type'],
      ['a document of kind 4, which is none', { mime_type: 'application/pdf', type: 2, storage_object_kind: 4 }, 'storage_object_kind'],
      ['media of a document kind', { storage_object_kind: 1 }, 'storage_object_kind'],
      ['a name that is empty', { filename: ' ' }, 'filename'],
    ]
    for (const [what, changes, field] of notReserved) {
      test(`${what} gets no address to be sent to`, async () => {
        const body = { filename: 'a.jpg', mime_type: 'image/jpeg', file_size: 1_000, type: 1, ...changes }
        const answer = await seller.post('/api/v1/storage-object', body)
        assert.equal(answer.status, 422, JSON.stringify(answer.body))
        assert.deepEqual(Object.keys(answer.body.errors), [field])
      })
    }

    test('a photo and a video of exactly the limit get one', async () => {
      for (const [mime_type, megabytes] of [
        ['image/jpeg', 20],
        ['video/mp4', 200],
      ] as const) {
        const answer = await seller.post('/api/v1/storage-object', {
          filename: 'a',
          mime_type,
          file_size: megabytes * 1024 * 1024,
          type: 1,
        })
        assert.equal(answer.status, 201)
      }
    })

    test('a file that is refused leaves room for another try by the same person', async () => {
      const { body } = await reserve(seller, { bytes: html, mime_type: 'image/png' })
      assert.equal(await put(body.data.upload_url, html, 'image/png'), 200)
      assert.equal((await seller.post(`/api/v1/storage-object/${body.data.storage_object_id}/complete`)).status, 422)
      assert.equal((await upload(seller, { bytes: await png(), mime_type: 'image/png' })).status, 200)
    })
  })
}
