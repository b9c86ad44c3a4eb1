import { inflateSync } from 'node:zlib'
import { Unacceptable } from '#server/features/storage/checks/unacceptable.ts'

const damaged = () => new Unacceptable('This PDF is damaged. Save it again and try once more.')
const active = () => new Unacceptable('This PDF has scripts or starts programs. Print it to a new PDF and try again.')
const sealed = () => new Unacceptable('This PDF is protected by a password. Save it without protection and try again.')

// a script action always names itself; the short /JS may turn up by chance inside a picture's bytes, and is looked for outside
const actions = /\/(?:JavaScript|Launch|RichMedia)\b/
const scripts = /\/JS(?![\w-])/
const MOST_UNPACKED_BYTES = 20 * 1024 * 1024

/** Looks for what a PDF could do by itself, in its plain objects and in those that are packed into object streams. */
export function checkPdf(bytes: Buffer): void {
  const raw = bytes.toString('latin1')
  if (!raw.startsWith('%PDF-') || !raw.slice(-1_024).includes('%%EOF')) throw damaged()
  const { outside, packed } = takeApart(raw)
  if (/\/Encrypt\b/.test(unescapeNames(outside))) throw sealed()
  if (actions.test(unescapeNames(raw)) || scripts.test(unescapeNames(outside))) throw active()
  for (const objects of packed) if (actions.test(objects) || scripts.test(objects)) throw active()
}

/** `/J#61vaScript` is another way to write `/JavaScript`. */
const unescapeNames = (text: string) => text.replace(/#([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

function takeApart(raw: string): { outside: string; packed: string[] } {
  const pieces: string[] = []
  const packed: string[] = []
  let at = 0
  let left = MOST_UNPACKED_BYTES
  for (;;) {
    const begin = nextStream(raw, at)
    if (begin === undefined) break
    pieces.push(raw.slice(at, begin.keyword))
    const end = raw.indexOf('endstream', begin.content)
    if (end < 0) throw damaged()
    const dictionary = dictionaryBefore(raw.slice(at, begin.keyword))
    // an object stream cannot be read without /First: no other stream holds objects
    if (/\/First\b/.test(dictionary)) {
      const objects = unpack(raw.slice(begin.content, end), dictionary, left)
      left -= objects.length
      packed.push(unescapeNames(objects))
    }
    at = end + 'endstream'.length
  }
  pieces.push(raw.slice(at))
  return { outside: pieces.join('\n'), packed }
}

/** From the last `obj` on. A string or a comment that says `obj` would hide what stands before it, so both go first. */
function dictionaryBefore(text: string): string {
  const bare = text.replace(/\((?:\\[^]|[^\\()])*\)|%[^\r\n]*/g, ' ')
  return unescapeNames(bare.split(/\bobj\b/).at(-1) ?? '')
}

function nextStream(raw: string, from: number): { keyword: number; content: number } | undefined {
  for (let at = raw.indexOf('stream', from); at >= 0; at = raw.indexOf('stream', at + 6)) {
    const opening = /^stream(?:\r\n|\n|\r)/.exec(raw.slice(at, at + 8))
    if (opening && />>\s*$/.test(raw.slice(Math.max(0, at - 20), at))) return { keyword: at, content: at + opening[0].length }
  }
  return undefined
}

/** Only what every PDF writer does: packed by Flate or not at all. Any other way could hide something from us. */
function unpack(content: string, dictionary: string, most: number): string {
  if (/\/(?:DecodeParms|DP)\b/.test(dictionary)) throw damaged()
  if (!/\/(?:Filter|F)\b/.test(dictionary)) return content
  if (!/\/Filter\s*\[?\s*\/(?:FlateDecode|Fl)\s*(?:\]|\/|>>|$)/.test(dictionary) || most <= 0) throw damaged()
  try {
    return inflateSync(Buffer.from(content, 'latin1'), { maxOutputLength: most }).toString('latin1')
  } catch {
    throw damaged()
  }
}
