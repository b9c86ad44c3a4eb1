import { crc32, deflateRawSync, deflateSync } from 'node:zlib'
import sharp from 'sharp'

// Files made in code: honest ones, and the hostile ones of checklist 35.

const pixels = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: '#b87333' } })

/** A photo as a telephone takes it: on its side, with the place where it was taken. */
export const photo = (width = 900, height = 600): Promise<Buffer> =>
  pixels(width, height)
    .withMetadata({ orientation: 6 })
    .withExifMerge({ IFD0: { Make: 'SecretPhone' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '53/1 28/1 0/1' } })
    .jpeg()
    .toBuffer()

export const png = (width = 40, height = 30): Promise<Buffer> => pixels(width, height).png().toBuffer()

export const gif = (): Promise<Buffer> => pixels(40, 30).gif().toBuffer()

export const tiff = (): Promise<Buffer> => pixels(40, 30).tiff().toBuffer()

const box = (type: string, ...content: Buffer[]) => {
  const body = Buffer.concat(content)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(body.length + 8)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, body])
}

const mp4Head = box('ftyp', Buffer.from('isom\0\0\x02\0isomiso2mp41', 'latin1'))

const sampleDescription = box('stsd', Buffer.from([0, 0, 0, 0, 0, 0, 0, 1]), box('avc1', Buffer.alloc(78)))

/** One track of pictures, described by one kind of sample. */
const videoTrack = box(
  'trak',
  box('mdia', box('hdlr', Buffer.alloc(8), Buffer.from('vide'), Buffer.alloc(13)), box('minf', box('stbl', sampleDescription))),
)

export const mp4 = (mediaBytes = 5_000): Buffer =>
  Buffer.concat([mp4Head, box('moov', box('mvhd', Buffer.alloc(100)), videoTrack), box('mdat', Buffer.alloc(mediaBytes, 'scrap'))])

/** The beginning of a video, and then nothing that a player could open. */
export const garbageMp4 = {
  noise: (): Buffer => Buffer.concat([mp4Head, Buffer.alloc(5_000, 'not a video at all')]),
  noTracks: (): Buffer => Buffer.concat([mp4Head, box('moov', box('mvhd', Buffer.alloc(100))), box('mdat', Buffer.alloc(5_000, 'scrap'))]),
  noDescription: (): Buffer => Buffer.concat([mp4Head, box('mdat', Buffer.alloc(5_000, 'scrap'))]),
  cutShort: (): Buffer => mp4().subarray(0, -100),
}

/**
 * A video as a telephone or an action camera makes it: the place in `udta`, in Apple's `meta`, in a camera maker's `uuid`, and in a
 * track of positions whose samples lie between those of the picture. The index comes last.
 */
export function mp4WithPlace(): Buffer {
  const number = (...values: number[]) =>
    Buffer.concat(values.map((value) => Buffer.from([value >>> 24, value >>> 16, value >>> 8, value])))
  const picture = Buffer.alloc(4_000, 'scrap')
  const positions = Buffer.from('+53.4780-002.2350/')
  const media = mp4Head.length + 8
  const times = Buffer.concat([number(0, 0xe1234567, 0xe1234567), Buffer.alloc(88)])
  const track = (kind: string, offset: number, size: number) =>
    box(
      'trak',
      box('tkhd', times),
      box('udta', Buffer.from('+53.4780-002.2350/')),
      box(
        'mdia',
        box('mdhd', times),
        box('hdlr', number(0, 0), Buffer.from(kind), Buffer.alloc(12), Buffer.from('SecretPhone\0')),
        box(
          'minf',
          box(
            'stbl',
            sampleDescription,
            box('stsc', number(0, 1, 1, 1, 1)),
            box('stsz', number(0, size, 1)),
            box('stco', number(0, 1, offset)),
          ),
        ),
      ),
    )
  return Buffer.concat([
    mp4Head,
    box('mdat', picture, positions),
    box('uuid', Buffer.alloc(16, 7), Buffer.from('SecretPhone +53.4780-002.2350/')),
    box(
      'moov',
      box('mvhd', times),
      track('vide', media, picture.length),
      track('meta', media + picture.length, positions.length),
      box('udta', box('\xa9xyz', Buffer.from('+53.4780-002.2350/'))),
      box('meta', Buffer.from('com.apple.quicktime.location.ISO6709 +53.4780-002.2350/')),
    ),
  ])
}

/** A pack header of MPEG-1 (`!`) or MPEG-2 (`D`), a system header, a packet of video unless it is empty, and the end. */
export const mpeg = (version: '!' | 'D' = '!', isEmpty = false): Buffer =>
  Buffer.concat([
    Buffer.from(`\0\0\x01\xba${version}`, 'latin1'),
    Buffer.alloc(60, 1),
    Buffer.from(`\0\0\x01\xbb\0\x06abcdef${isEmpty ? '' : '\0\0\x01\xe0\0\x08\0\0\x01\xb3abcd'}\0\0\x01\xb9`, 'latin1'),
  ])

export function pdf(catalog = '', more = ''): Buffer {
  return Buffer.from(
    `%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R ${catalog} >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [] /Count 0 >>\nendobj\n${more}trailer\n<< /Root 1 0 R >>\nstartxref\n0\n%%EOF\n`,
    'latin1',
  )
}

/** A script inside a packed object stream, where a search through the file does not see it. */
export function pdfWithPackedScript(before = ''): Buffer {
  const objects = deflateSync('3 0 << /S /JavaScript /JS (app.alert(1)) >>').toString('latin1')
  return pdf(
    '/OpenAction 3 0 R',
    `4 0 obj\n<< /Type /ObjStm /N 1 /First 4 ${before}/Filter /FlateDecode /Length ${objects.length} >>\nstream\n${objects}\nendstream\nendobj\n`,
  )
}

type ZipEntry = { name: string; content: Buffer | string; claims?: number }

/** A zip as any program writes it; `claims` lies about the unpacked size. */
export function zip(entries: ZipEntry[]): Buffer {
  const local: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content, claims } of entries) {
    const plain = Buffer.from(content)
    const packed = deflateRawSync(plain)
    const fields = Buffer.alloc(22)
    fields.writeUInt16LE(8, 0)
    fields.writeUInt32LE(crc32(plain), 6)
    fields.writeUInt32LE(packed.length, 10)
    fields.writeUInt32LE(claims ?? plain.length, 14)
    fields.writeUInt16LE(name.length, 18)
    const localEntry = Buffer.concat([Buffer.from('PK\x03\x04\x14\0\0\0', 'latin1'), fields, Buffer.from(name), packed])
    const attributes = Buffer.alloc(14)
    attributes.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\0\x14\0\0\0', 'latin1'), fields, attributes, Buffer.from(name)]))
    local.push(localEntry)
    offset += localEntry.length
  }
  const index = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(index.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...local, index, end])
}

const contentTypes =
  '<?xml version="1.0" encoding="UTF-8"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'

export const docx = (...more: ZipEntry[]): Buffer =>
  zip([
    { name: '[Content_Types].xml', content: contentTypes },
    { name: 'word/document.xml', content: '<w:document><w:body><w:p>Weighbridge ticket</w:p></w:body></w:document>' },
    ...more,
  ])

/** 225 megapixels of one colour in well under a megabyte, written by hand. Packing them takes a second: they are kept. */
export const pixelBomb = (): Buffer => (bomb ??= packedSquare(15_000))
let bomb: Buffer | undefined

/** A PNG of one colour with as many pixels as that on each side, in a few kilobytes. */
export function packedSquare(side: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set([8, 0, 0, 0, 0], 8)
  const rows = deflateSync(Buffer.alloc((side + 1) * side))
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

/** One pixel, ten thousand times. */
export function manyFrames(frames = 10_000): Buffer {
  const head = Buffer.from('GIF89a\x01\0\x01\0\x80\0\0\xff\0\0\0\0\xff', 'latin1')
  const frame = Buffer.from('!\xf9\x04\0\x01\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0', 'latin1')
  return Buffer.concat([head, ...Array<Buffer>(frames).fill(frame), Buffer.from(';')])
}

export const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
export const html = Buffer.from('<!doctype html><script>alert(document.cookie)</script>')
// encoded, so that no scanner takes this source for the thing itself
export const eicar = Buffer.from('WDVPIVAlQEFQWzRcUFpYNTQoUF4pN0NDKTd9JEVJQ0FSLVNUQU5EQVJELUFOVElWSVJVUy1URVNULUZJTEUhJEgrSCo=', 'base64')
export const djvu = Buffer.from('AT&TFORM\0\0\0\x10DJVUINFO\0\0\0\x0a', 'latin1')
