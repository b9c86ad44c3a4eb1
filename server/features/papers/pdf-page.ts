import { fileURLToPath } from 'node:url'
import { buffer } from 'node:stream/consumers'
import type { PrintedPaper } from '#domain/papers/printed-paper.ts'

// An A4 page in our look: its fonts, its colours, and text that is tagged for screen readers.

// the light theme of web/styles/tokens.css, in sRGB
export const colours = { ink: '#251f1b', muted: '#605852', line: '#dcd8d5', copper: '#c36c36', danger: '#b72121' } as const

// Plain TrueType, Latin with its extensions: the web's compressed files cannot be embedded. Inter's figures are the tabular ones, and its
// tables of layout are left out, which took a fifth of a second to read for every paper.
const own = (name: string) => fileURLToPath(new URL(`fonts/${name}`, import.meta.url))

export const PAGE = { left: 48, right: 547, top: 44, footer: 806 } as const

type Face = 'text' | 'strong' | 'display'
type Placed = { x: number; y: number; width: number; size: number; face?: Face; colour?: keyof typeof colours; align?: 'left' | 'right' }

export type Sheet = {
  /** Writes under a tag of the document's structure, inside the element that is open. Answers where the text ends. */
  write(tag: string, text: string, placed: Placed): number
  /** Everything written meanwhile is inside this element. */
  inside<T>(tag: string, work: () => T): T
  /** Lines are decoration: a screen reader passes them over. */
  rule(y: number, from?: number, to?: number, colour?: keyof typeof colours, thickness?: number): void
}

/** Draws a page by its plan, which answers where it ends; `isOver` where it did not fit. The same paper gives the same bytes. */
export async function drawPage(
  { title, number, issued_at }: PrintedPaper,
  plan: (sheet: Sheet) => number,
): Promise<{ pdf: Buffer; isOver: boolean }> {
  const made = new Date(issued_at)
  const info = { Title: number ? `${title} ${number}` : title, Author: 'Yardbid', Creator: 'Yardbid', CreationDate: made, ModDate: made }
  // loaded for the first paper that is drawn: it takes as long as a tenth of a start
  const { default: Pdf } = await import('pdfkit')
  const doc = new Pdf({
    size: 'A4',
    margins: { left: PAGE.left, right: PAGE.left, top: PAGE.top, bottom: 0 },
    info,
    lang: 'en-GB',
    tagged: true,
    displayTitle: true,
    pdfVersion: '1.7',
    bufferPages: true,
    // not even looked at: all text is in fonts of our own
    font: '',
  })
  doc.registerFont('text', own('inter-400.ttf'))
  doc.registerFont('strong', own('inter-600.ttf'))
  doc.registerFont('display', own('barlow-condensed-600.ttf'))
  const whole = buffer(doc)
  const end = plan(sheetOn(doc))
  const isOver = end > PAGE.footer || doc.bufferedPageRange().count > 1
  doc.end()
  return { pdf: await whole, isOver }
}

function sheetOn(doc: PDFKit.PDFDocument): Sheet {
  const root = doc.struct('Document')
  doc.addStructure(root)
  const open = [root]

  return {
    write(tag, text, { x, y, width, size, face = 'text', colour = 'ink', align = 'left' }) {
      let end = y
      const element = doc.struct(tag, {}, () => {
        doc.font(face).fontSize(size).fillColor(colours[colour]).text(text, x, y, { width, align, lineGap: 1.5 })
        end = doc.y
      })
      open.at(-1)?.add(element)
      return end
    },
    inside(tag, work) {
      const element = doc.struct(tag)
      open.at(-1)?.add(element)
      open.push(element)
      try {
        return work()
      } finally {
        open.pop()
        element.end()
      }
    },
    rule(y, from = PAGE.left, to = PAGE.right, colour = 'line', thickness = 0.75) {
      doc.markContent('Artifact', { type: 'Layout' })
      doc.moveTo(from, y).lineTo(to, y).lineWidth(thickness).strokeColor(colours[colour]).stroke()
      doc.endMarkedContent()
    },
  }
}
