import { active, checkPart, damaged, holding } from '#server/features/storage/checks/docx-parts.ts'
import { Unacceptable } from '#server/features/storage/checks/unacceptable.ts'

const MOST_ENTRIES = 2_000
const MOST_UNPACKED_BYTES = 200 * 1024 * 1024
// XML packs well, but not a hundredfold as a whole: what does is made to burst
const MOST_RATIO = 100
const RATIO_COUNTS_FROM_BYTES = 5 * 1024 * 1024

/** A docx is a zip: its directory at the end says what is inside, and how large it would become. Then each part is read. */
export function checkDocx(bytes: Buffer): void {
  const entries = readDirectory(bytes)
  const names = entries.map(({ name }) => name.toLowerCase())
  if (!names.includes('[content_types].xml') || !names.includes('word/document.xml')) throw damaged()
  if (names.some((name) => /vbaproject|vbadata|activex|\/embeddings\/.*\.bin$/.test(name))) throw active()
  if (names.some((name) => name.includes('/embeddings/'))) throw holding()
  if (new Set(names).size !== names.length) throw damaged()
  const unpacked = entries.reduce((sum, entry) => sum + entry.unpacked, 0)
  if (unpacked > MOST_UNPACKED_BYTES || (unpacked > RATIO_COUNTS_FROM_BYTES && unpacked > MOST_RATIO * bytes.length)) {
    throw new Unacceptable('This Word document unpacks to far more than it should. Save it as a PDF and try again.')
  }
  for (const entry of entries) checkPart({ ...entry, content: contentOf(bytes, entry) })
}

type Entry = { name: string; method: number; crc: number; packed: number; unpacked: number; offset: number }

const END = 0x06054b50
const ENTRY = 0x02014b50
const LOCAL = 0x04034b50
const END_LENGTH = 22
const COMMENT_MAX = 0xffff

function readDirectory(bytes: Buffer): Entry[] {
  const end = findEnd(bytes)
  const count = bytes.readUInt16LE(end + 10)
  const start = bytes.readUInt32LE(end + 16)
  // 0xffff and 0xffffffff lead to zip64, which no document of this size needs
  if (count > MOST_ENTRIES || start >= end) throw damaged()
  const entries: Entry[] = []
  let at = start
  for (let nth = 0; nth < count; nth++) {
    if (at + 46 > end || bytes.readUInt32LE(at) !== ENTRY) throw damaged()
    const nameLength = bytes.readUInt16LE(at + 28)
    const entry = {
      name: bytes.toString('utf8', at + 46, at + 46 + nameLength),
      method: bytes.readUInt16LE(at + 10),
      crc: bytes.readUInt32LE(at + 16),
      packed: bytes.readUInt32LE(at + 20),
      unpacked: bytes.readUInt32LE(at + 24),
      offset: bytes.readUInt32LE(at + 42),
    }
    checkEntry(bytes, entry)
    entries.push(entry)
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  if (at !== end) throw damaged()
  refuseOverlap(entries)
  return entries
}

function findEnd(bytes: Buffer): number {
  for (let at = bytes.length - END_LENGTH; at >= Math.max(0, bytes.length - END_LENGTH - COMMENT_MAX); at--) {
    // the comment must reach to the very last byte: nothing hides behind the end
    if (bytes.readUInt32LE(at) === END && at + END_LENGTH + bytes.readUInt16LE(at + 20) === bytes.length) return at
  }
  throw damaged()
}

function checkEntry(bytes: Buffer, { name, packed, unpacked, offset }: Entry): void {
  const isInside = offset + 30 + packed <= bytes.length && bytes.readUInt32LE(offset) === LOCAL
  // deflate cannot do better than 1032 to 1: a size that claims more, or less than it could be, is a lie
  const isPossible = unpacked <= packed * 1_032 + 64
  if (!isInside || !isPossible || /(?:^|[/\\])\.\.(?:[/\\]|$)|^[/\\]|\0/.test(name)) throw damaged()
}

/** What is packed at the entry's place, whose own header must give the same name. */
function contentOf(bytes: Buffer, { name, offset, packed }: Entry): Buffer {
  const nameLength = bytes.readUInt16LE(offset + 26)
  const start = offset + 30 + nameLength + bytes.readUInt16LE(offset + 28)
  if (bytes.toString('utf8', offset + 30, offset + 30 + nameLength) !== name || start + packed > bytes.length) throw damaged()
  return bytes.subarray(start, start + packed)
}

/** Entries that share bytes are how a small file becomes a very large one. */
function refuseOverlap(entries: Entry[]): void {
  const byPlace = entries.toSorted((a, b) => a.offset - b.offset)
  const overlaps = byPlace.some((entry, nth) => {
    const next = byPlace[nth + 1]
    return next !== undefined && entry.offset + 30 + entry.packed > next.offset
  })
  if (overlaps) throw damaged()
}
