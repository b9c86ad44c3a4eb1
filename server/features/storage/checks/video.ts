import { fileTypes, type FileType } from '#contract/storage.ts'
import { Unacceptable } from '#server/features/storage/checks/unacceptable.ts'

/** Looks at a video as it passes, in pieces of any size; `end` refuses one that no player can open. */
export type VideoCheck = { look(chunk: Buffer): void; end(): void }

export function checkVideo(type: FileType): VideoCheck {
  const { look, hasPictures } = type === 'video/mpeg' ? programStream() : boxes()
  return {
    look,
    end() {
      if (!hasPictures()) throw unplayable(type)
    },
  }
}

export const unplayable = (type: FileType): Unacceptable =>
  new Unacceptable(
    `This ${fileTypes[type].extension.toUpperCase()} cannot be played: it has no pictures in it, or is damaged. Choose the original file and try again.`,
  )

type Watcher = { look: (chunk: Buffer) => void; hasPictures: () => boolean }

const BOX_HEAD = 8
const LONG_BOX_HEAD = 16
// an hour of video is described in about 2 MB
const MOST_DESCRIPTION = 32 * 1024 * 1024

/** MP4: boxes one after the other. `moov` describes the tracks, `mdat` (or a later `moof`) holds them. */
function boxes(): Watcher {
  let head = Buffer.alloc(0)
  let left = 0
  let isBroken = false
  let description: Buffer[] | undefined
  let moov: Buffer | undefined
  let hasMedia = false

  /** Answers how much of the chunk the head of the next box took. */
  function readHead(chunk: Buffer): number {
    const isLong = () => head.length >= BOX_HEAD && head.readUInt32BE() === 1
    const missing = (isLong() ? LONG_BOX_HEAD : BOX_HEAD) - head.length
    const taken = chunk.subarray(0, missing)
    head = Buffer.concat([head, taken])
    if (head.length < BOX_HEAD || (isLong() && head.length < LONG_BOX_HEAD)) return taken.length
    begin(head.readUInt32BE() === 1 ? Number(head.readBigUInt64BE(BOX_HEAD)) : head.readUInt32BE(), head.toString('latin1', 4, 8))
    head = Buffer.alloc(0)
    return taken.length
  }

  function begin(size: number, type: string) {
    const body = size === 0 ? Infinity : size - head.length
    isBroken = body < 0 || !/^[ -~©]{4}$/.test(type) || (type === 'moov' && body > MOST_DESCRIPTION)
    left = body
    if (type === 'moov') description = []
    hasMedia ||= type === 'mdat' && body > 0
  }

  return {
    look(chunk) {
      for (let at = 0; at < chunk.length && !isBroken;) {
        if (left === 0) {
          at += readHead(chunk.subarray(at))
          continue
        }
        const part = chunk.subarray(at, Math.min(chunk.length, at + left))
        description?.push(part)
        at += part.length
        left -= part.length
        if (left > 0 || !description) continue
        moov = Buffer.concat(description)
        description = undefined
      }
    },
    // what comes after the pictures and their description is nothing that a player looks at
    hasPictures: () => hasMedia && moov !== undefined && (left === 0 || left === Infinity) && children(moov, 'trak').some(isVideoTrack),
  }
}

function isVideoTrack(track: Buffer): boolean {
  return children(track, 'mdia').some((media) => {
    const isVideo = children(media, 'hdlr').some((handler) => handler.toString('latin1', 8, 12) === 'vide')
    const tables = children(media, 'minf').flatMap((info) => children(info, 'stbl'))
    return isVideo && tables.flatMap((table) => children(table, 'stsd')).some((kinds) => kinds.length > 8 && kinds.readUInt32BE(4) > 0)
  })
}

function children(parent: Buffer, type: string): Buffer[] {
  const found: Buffer[] = []
  for (let at = 0; at + BOX_HEAD <= parent.length;) {
    const size = parent.readUInt32BE(at)
    if (size < BOX_HEAD || at + size > parent.length) break
    if (parent.toString('latin1', at + 4, at + 8) === type) found.push(parent.subarray(at + BOX_HEAD, at + size))
    at += size
  }
  return found
}

const START_CODE = Buffer.from([0, 0, 1])
const SEQUENCE_HEADER = 0xb3

/** MPEG: packets of a video stream (0xE0 to 0xEF), and the sequence header that says how large its pictures are. */
function programStream(): Watcher {
  let tail = Buffer.alloc(0)
  let hasPacket = false
  let hasSequence = false
  return {
    look(chunk) {
      if (hasPacket && hasSequence) return
      const bytes = Buffer.concat([tail, chunk])
      for (let at = bytes.indexOf(START_CODE); at !== -1 && at + 3 < bytes.length; at = bytes.indexOf(START_CODE, at + 3)) {
        const code = bytes[at + 3] ?? 0
        hasPacket ||= code >= 0xe0 && code <= 0xef
        hasSequence ||= hasPacket && code === SEQUENCE_HEADER
      }
      tail = bytes.subarray(-3)
    },
    hasPictures: () => hasPacket && hasSequence,
  }
}
