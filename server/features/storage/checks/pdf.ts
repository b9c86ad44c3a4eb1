import { inflateSync } from 'node:zlib'
import { visitPdf, type PdfDictionary, type PdfValue } from '#server/features/storage/checks/pdf-objects.ts'
import { Unacceptable } from '#server/features/storage/checks/unacceptable.ts'

const damaged = () => new Unacceptable('This PDF is damaged. Save it again and try once more.')
const sealed = () => new Unacceptable('This PDF is protected by a password. Save it without protection and try again.')
const active = () => new Unacceptable('This PDF has scripts or starts programs. Print it to a new PDF and try again.')
const external = () => new Unacceptable('This PDF fetches or sends something elsewhere. Print it to a new PDF and try again.')
const holding = () => new Unacceptable('This PDF has other files inside. Print it to a new PDF and try again.')

const MOST_UNPACKED_BYTES = 20 * 1024 * 1024

/** Refuses a PDF that does something by itself, fetches something, or holds files. A link that a reader follows by a click may stay. */
export function checkPdf(bytes: Buffer): void {
  const raw = bytes.toString('latin1')
  if (!raw.startsWith('%PDF-') || !raw.slice(-1_024).includes('%%EOF')) throw damaged()
  // also where no object should be: a table of contents may lead a reader into the middle of a stream
  if (/\/(?:JavaScript|Launch|RichMedia)\b/.test(unescapeNames(raw))) throw active()
  let left = MOST_UNPACKED_BYTES
  const broken = (): never => {
    throw damaged()
  }
  visitPdf(raw, {
    dictionary: checkDictionary,
    stream(dictionary, start, end) {
      // its content would be in another file
      if (dictionary.has('/F')) throw external()
      // an object stream cannot be read without /First: no other stream holds objects
      if (!dictionary.has('/First')) return
      const objects = unpack(raw.slice(start, end), dictionary, left)
      left -= objects.length
      visitPdf(objects, { dictionary: checkDictionary, stream: broken, broken })
    },
    broken,
  })
}

const unescapeNames = (text: string) => text.replace(/#([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

// what a dictionary is or does, by the name under /S, /Subtype or /Type
const refusedKinds: Record<string, () => Unacceptable> = {
  '/JavaScript': active,
  '/Launch': active,
  '/RichMedia': active,
  '/Rendition': active,
  '/Movie': active,
  '/Sound': active,
  '/3D': active,
  '/GoToR': external,
  '/GoToE': external,
  '/SubmitForm': external,
  '/ImportData': external,
  '/EmbeddedFile': holding,
  '/FileAttachment': holding,
}
const refusedKeys: Record<string, () => Unacceptable> = {
  '/Encrypt': sealed,
  '/JS': active,
  '/XFA': active,
  '/EF': holding,
  '/EmbeddedFiles': holding,
}

function checkDictionary(dictionary: PdfDictionary): void {
  for (const [key, why] of Object.entries(refusedKeys)) if (dictionary.has(key)) throw why()
  for (const key of ['/S', '/Subtype', '/Type']) {
    const why = refusedKinds[nameOf(dictionary.get(key))]
    if (why) throw why()
  }
  const isBorrowed = nameOf(dictionary.get('/Subtype')) === '/Form' && dictionary.has('/Ref')
  if (isBorrowed || nameOf(dictionary.get('/FS')) === '/URL') throw external()
}

const nameOf = (value: PdfValue | undefined) => (typeof value === 'string' ? value : '')

/** Only what every PDF writer does: packed by Flate or not at all. Any other way could hide something from us. */
function unpack(content: string, dictionary: PdfDictionary, most: number): string {
  if (dictionary.has('/DecodeParms') || dictionary.has('/DP')) throw damaged()
  const filter = [dictionary.get('/Filter') ?? []].flat()
  if (filter.length === 0) return content
  if (filter.length > 1 || !['/FlateDecode', '/Fl'].includes(nameOf(filter[0])) || most <= 0) throw damaged()
  try {
    return inflateSync(Buffer.from(content, 'latin1'), { maxOutputLength: most }).toString('latin1')
  } catch {
    throw damaged()
  }
}
