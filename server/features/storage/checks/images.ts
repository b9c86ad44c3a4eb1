import sharp, { type Sharp } from 'sharp'
import type { FileType } from '#contract/storage.ts'
import { Unacceptable } from '#server/features/storage/checks/unacceptable.ts'

// The decoders of the three types that are accepted, and of what we write ourselves; every other one is attack surface.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadNsgif'] })

// no image comes twice, and one that takes every processor would hold up the bids
sharp.cache(false)
sharp.concurrency(1)

const LONGEST_SIDE = 4_096
const THUMBNAIL_WIDTHS = [320, 640, 1_280]
// A phone's largest photo is a JPEG of 50 megapixels; PNG and GIF are screenshots and drawings. 225 megapixels of one colour fit in
// 700 kB, and took a processor for seconds and a gigabyte of memory.
const mostPixels: Partial<Record<FileType, number>> = { 'image/jpeg': 52_000_000, 'image/png': 26_000_000, 'image/gif': 26_000_000 }
const input = { failOn: 'error', sequentialRead: true } as const
const SECONDS = 20

const encode: Partial<Record<FileType, (image: Sharp) => Sharp>> = {
  'image/jpeg': (image) => image.jpeg({ quality: 85 }),
  'image/png': (image) => image.png(),
  'image/gif': (image) => image.gif(),
}

export type MadeImage = { bytes: Buffer; width: number; height: number; thumbnails: { width: number; bytes: Buffer }[] }

/**
 * A picture of our own making: turned upright, without metadata, without anything behind its end, one frame of an
 * animation. Only pixels come through.
 */
export async function remakeImage(sent: Buffer, type: FileType): Promise<MadeImage> {
  try {
    const fitted = sharp(sent, { ...input, limitInputPixels: mostPixels[type] ?? 1 })
      .rotate()
      .resize({ width: LONGEST_SIDE, height: LONGEST_SIDE, fit: 'inside', withoutEnlargement: true })
      .timeout({ seconds: SECONDS })
    const { data: bytes, info } = await (encode[type] as (image: Sharp) => Sharp)(fitted).toBuffer({ resolveWithObject: true })
    const thumbnails = []
    for (const width of THUMBNAIL_WIDTHS) thumbnails.push({ width, bytes: await thumbnail(bytes, width) })
    return { bytes, width: info.width, height: info.height, thumbnails }
  } catch (cause) {
    throw new Unacceptable(whyNot(cause))
  }
}

const thumbnail = (bytes: Buffer, width: number): Promise<Buffer> =>
  sharp(bytes, input)
    .resize({ width, height: width * 2, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 75 })
    .timeout({ seconds: SECONDS })
    .toBuffer()

const whyNot = (cause: unknown) =>
  /pixel limit/i.test(String(cause))
    ? 'This picture has too many pixels. Save it smaller and try again.'
    : 'This picture is damaged or incomplete. Take or save it again and try once more.'
