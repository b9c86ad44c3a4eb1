import { Transform, type Readable } from 'node:stream'
import { samplesOf, type Track } from '#server/features/storage/checks/video-samples.ts'
import { Unacceptable } from '#server/features/storage/checks/unacceptable.ts'
import { unplayable } from '#server/features/storage/checks/video.ts'

// An MP4 is a tree of boxes: length, type, content. Boxes that no player needs become `free` boxes full of zeros, of the same length:
// every other byte stays where it is, so the index still fits.

/** Bytes that are written in place of others. */
type Patch = { start: number; length: number; bytes?: Buffer }

type Box = { type: string; start: number; contentStart: number; end: number }

const tellsMore = () => new Unacceptable('This video records more than picture and sound. Save it without and try again.')
const damaged = () => unplayable('video/mp4')

// by the box that they are in: what a player needs. Everything else may say where, when and by what it was recorded.
const kept: Record<string, readonly string[]> = {
  file: ['ftyp', 'styp', 'pdin', 'moov', 'moof', 'mdat', 'mfra', 'sidx', 'ssix'],
  moov: ['mvhd', 'trak', 'mvex', 'iods'],
  trak: ['tkhd', 'mdia', 'edts'],
  mdia: ['mdhd', 'hdlr', 'minf', 'elng'],
  minf: ['vmhd', 'smhd', 'dinf', 'stbl'],
  stbl: [
    'stsd',
    'stts',
    'ctts',
    'cslg',
    'stsc',
    'stsz',
    'stz2',
    'stco',
    'co64',
    'stss',
    'stsh',
    'sdtp',
    'sbgp',
    'sgpd',
    'subs',
    'saiz',
    'saio',
  ],
  moof: ['mfhd', 'traf'],
  traf: ['tfhd', 'tfdt', 'trun', 'sbgp', 'sgpd', 'subs', 'saiz', 'saio', 'senc', 'sdtp'],
}

// the index of 200 MB takes about 2 MB
const MOST_INDEX_BYTES = 16 * 1024 * 1024
const MOST_BOXES = 100_000
const shownHandlers = ['vide', 'soun']

/** What has to be written over so that a video tells nothing but picture and sound. */
export async function metadataPatches(sent: Readable, size: number): Promise<Patch[]> {
  try {
    return await planPatches(cursorOver(sent), size)
  } finally {
    sent.destroy()
  }
}

async function planPatches(cursor: Cursor, size: number): Promise<Patch[]> {
  const patches: Patch[] = []
  const hidden: Track[] = []
  let isFragmented = false
  let boxes = 0
  for (let at = 0; at < size;) {
    if ((boxes += 1) > MOST_BOXES) throw damaged()
    const head = await cursor.take(8)
    const bytes = head.readUInt32BE(0) === 1 ? Buffer.concat([head, await cursor.take(8)]) : head
    const box = readBox(bytes, { at: 0, base: at, end: size })
    if (!kept['file']?.includes(box.type)) patches.push(...blank(box))
    isFragmented ||= box.type === 'moof'
    if (box.type === 'moov' || box.type === 'moof') {
      if (box.end - box.start > MOST_INDEX_BYTES) throw damaged()
      patches.push(...inside({ bytes: await cursor.take(box.end - box.contentStart), base: box.contentStart, hidden }, box))
    } else await cursor.skip(box.end - box.contentStart)
    at = box.end
  }
  // the samples of a fragmented track are told by its fragments, in which tracks go by number alone
  if (hidden.length > 0 && isFragmented) throw tellsMore()
  for (const track of hidden) {
    const samples = samplesOf(track, size)
    if (!samples) throw tellsMore()
    patches.push(...samples)
  }
  return patches.toSorted((one, other) => one.start - other.start)
}

type Cursor = { take: (length: number) => Promise<Buffer>; skip: (length: number) => Promise<void> }

/** Reads a file once from its beginning. */
function cursorOver(sent: Readable): Cursor {
  const chunks = sent[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>
  let rest: Buffer = Buffer.alloc(0)
  const more = async () => {
    const { value } = await chunks.next()
    if (!value) throw damaged()
    return value
  }
  return {
    async take(length) {
      const parts = [rest]
      for (let got = rest.length; got < length; got += parts.at(-1)?.length ?? 0) parts.push(await more())
      const all = Buffer.concat(parts)
      rest = all.subarray(length)
      return all.subarray(0, length)
    },
    async skip(length) {
      let left = length
      while (rest.length < left) {
        left -= rest.length
        rest = await more()
      }
      rest = rest.subarray(left)
    },
  }
}

type Index = { bytes: Buffer; base: number; hidden: Track[] }

function inside(index: Index, parent: Box): Patch[] {
  const patches: Patch[] = []
  for (const box of boxesOf(index, parent)) {
    if (!kept[parent.type]?.includes(box.type)) patches.push(...blank(box))
    else if (box.type === 'trak' && !isShown(index, box)) {
      index.hidden.push(trackOf(index, box))
      patches.push(...blank(box))
    } else if (kept[box.type]) patches.push(...inside(index, box))
    else patches.push(...(facts[box.type]?.(index, box) ?? []))
  }
  return patches
}

/** Times of recording, and the name of the program that wrote a track. */
const times = ({ bytes, base }: Index, { contentStart, end }: Box): Patch[] => {
  const length = bytes[contentStart - base] === 1 ? 16 : 8
  return [{ start: contentStart + 4, length: Math.min(length, end - contentStart - 4) }]
}
const facts: Record<string, (index: Index, box: Box) => Patch[]> = {
  mvhd: times,
  tkhd: times,
  mdhd: times,
  hdlr: (_index, { contentStart, end }) => [{ start: contentStart + 24, length: Math.max(0, end - contentStart - 24) }],
}

const blank = ({ start, contentStart, end }: Box): Patch[] => [
  { start: start + 4, length: 4, bytes: Buffer.from('free') },
  { start: contentStart, length: end - contentStart },
]

function isShown(index: Index, track: Box): boolean {
  const handler = find(index, track, ['mdia', 'hdlr'])
  if (!handler) throw damaged()
  const at = handler.contentStart - index.base + 8
  return shownHandlers.includes(index.bytes.toString('latin1', at, at + 4))
}

/** The tables that say where a track's samples are. */
function trackOf(index: Index, track: Box): Track {
  const table = (type: string) => {
    const box = find(index, track, ['mdia', 'minf', 'stbl', type])
    return box && index.bytes.subarray(box.contentStart - index.base, box.end - index.base)
  }
  return { stsc: table('stsc'), stsz: table('stsz'), stco: table('stco'), co64: table('co64') }
}

function find(index: Index, parent: Box, [type, ...deeper]: readonly string[]): Box | undefined {
  const box = boxesOf(index, parent).find((each) => each.type === type)
  return box && deeper.length > 0 ? find(index, box, deeper) : box
}

function boxesOf({ bytes, base }: Index, { contentStart, end }: Box): Box[] {
  const boxes: Box[] = []
  for (let at = contentStart; at < end;) {
    const box = readBox(bytes, { at: at - base, base, end })
    boxes.push(box)
    at = box.end
  }
  return boxes
}

/** The box at a place in these bytes, which begin at `base` in the file; it ends before `end`. */
function readBox(bytes: Buffer, { at, base, end }: { at: number; base: number; end: number }): Box {
  const start = base + at
  if (at + 8 > bytes.length) throw damaged()
  const short = bytes.readUInt32BE(at)
  const isLong = short === 1
  if (isLong && at + 16 > bytes.length) throw damaged()
  // 0: to the end
  const length = isLong ? Number(bytes.readBigUInt64BE(at + 8)) : short === 0 ? end - start : short
  const contentStart = start + (isLong ? 16 : 8)
  if (start + length < contentStart || start + length > end) throw damaged()
  return { type: bytes.toString('latin1', at + 4, at + 8), start, contentStart, end: start + length }
}

/** Writes patches over what flows through. They may overlap: of two, the one that begins later is written over the other. */
export function applyPatches(patches: readonly Patch[]): Transform {
  let offset = 0
  let from = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const end = offset + chunk.length
      let touched: Buffer | undefined
      for (let nth = from; nth < patches.length; nth++) {
        const patch = patches[nth]
        if (!patch || patch.start >= end) break
        const patchEnd = patch.start + patch.length
        if (patchEnd <= offset) continue
        touched ??= Buffer.from(chunk)
        const [begin, stop] = [Math.max(patch.start, offset), Math.min(patchEnd, end)]
        if (patch.bytes) patch.bytes.copy(touched, begin - offset, begin - patch.start, stop - patch.start)
        else touched.fill(0, begin - offset, stop - offset)
      }
      while (from < patches.length && (patches[from]?.start ?? 0) + (patches[from]?.length ?? 0) <= end) from += 1
      offset = end
      done(null, touched ?? chunk)
    },
  })
}
