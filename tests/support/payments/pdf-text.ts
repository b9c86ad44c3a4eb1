import { inflateSync } from 'node:zlib'

/** The words of a PDF that was written with its built-in fonts: each line of text on a line of its own. */
export function textOfPdf(pdf: Buffer): string {
  const raw = pdf.toString('latin1')
  const streams = [...raw.matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)].map(([, body = '']) => inflated(Buffer.from(body, 'latin1')))
  const shown = streams.flatMap((stream) => [...stream.matchAll(/\[([^\]]*)\] TJ/g)].map(([, parts = '']) => parts))
  return shown
    .map((parts) => [...parts.matchAll(/<([0-9a-f]*)>/gi)].map(([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1')).join(''))
    .join('\n')
}

function inflated(stream: Buffer): string {
  try {
    return inflateSync(stream).toString('latin1')
  } catch {
    return stream.toString('latin1') // a stream that is not compressed is text already
  }
}
