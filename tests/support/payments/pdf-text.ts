import { inflateSync } from 'node:zlib'

type Decode = (hex: string) => string

/** The words of a PDF, each run of text on a line of its own: built-in fonts by their bytes, embedded ones by the map that they carry. */
export function textOfPdf(pdf: Buffer): string {
  const raw = pdf.toString('latin1')
  const objects = new Map([...raw.matchAll(/(?:^|\n)(\d+) 0 obj\r?\n([\s\S]*?)\r?\nendobj/g)].map(([, id = '', body = '']) => [id, body]))
  const fonts = fontsOf(objects)
  const shown = [...objects.values()].flatMap((body) => [...streamOf(body).matchAll(/\/(F\d+) [\d.]+ Tf|\[([^\]]*)\] TJ/g)])
  let decode: Decode = latin
  const runs: string[] = []
  for (const [, font, parts] of shown) {
    if (font !== undefined) decode = fonts.get(font) ?? latin
    else runs.push([...(parts ?? '').matchAll(/<([0-9a-f]*)>/gi)].map(([, hex = '']) => decode(hex)).join(''))
  }
  return runs.join('\n')
}

const latin: Decode = (hex) => Buffer.from(hex, 'hex').toString('latin1')

function fontsOf(objects: Map<string, string>): Map<string, Decode> {
  const fonts = new Map<string, Decode>()
  for (const body of objects.values()) {
    for (const [, name = '', id = ''] of body.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const map = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id) ?? '')?.[1]
      if (map !== undefined) fonts.set(name, byMap(streamOf(objects.get(map) ?? '')))
    }
  }
  return fonts
}

/** Glyph numbers of four digits, whose letters stand in ranges: <first> <last> [<letter> …]. */
function byMap(cmap: string): Decode {
  const letters = new Map<number, string>()
  for (const [, first = '', list = ''] of cmap.matchAll(/<([0-9a-f]{4})> <[0-9a-f]{4}> \[([^\]]*)\]/gi)) {
    const found = [...list.matchAll(/<([0-9a-f ]*)>/gi)]
    for (const [nth, [, hex = '']] of found.entries())
      letters.set(parseInt(first, 16) + nth, Buffer.from(hex.replaceAll(' ', ''), 'hex').swap16().toString('utf16le'))
  }
  return (hex) => [...hex.matchAll(/.{4}/g)].map(([glyph]) => letters.get(parseInt(glyph, 16)) ?? '').join('')
}

function streamOf(body: string): string {
  // as long as it says: compressed bytes may end with what looks like the end of a line
  const begin = /stream\r?\n/.exec(body)
  const from = begin ? begin.index + begin[0].length : body.length
  const stream = body.slice(from, from + Number(/\/Length (\d+)/.exec(body)?.[1] ?? 0))
  try {
    return inflateSync(Buffer.from(stream, 'latin1')).toString('latin1')
  } catch {
    return stream // a stream that is not compressed is text already
  }
}
