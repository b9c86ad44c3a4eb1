import { formatPence } from '#domain/format.ts'
import type { Fact, PrintedPaper } from '#domain/papers/printed-paper.ts'
import { drawPage, PAGE, type Sheet } from '#server/features/papers/pdf-page.ts'

// where a paper does not fit on one page, everything is set a little smaller
const SCALES = [1, 0.88, 0.76, 0.64, 0.52]
const WIDTH = PAGE.right - PAGE.left
const GAP = 24

/** One page, whatever stands on it. */
export async function drawPaper(paper: PrintedPaper): Promise<Buffer> {
  let drawn: Buffer | undefined
  for (const scale of SCALES) {
    const { pdf, isOver } = await drawPage(paper, (sheet) => arrange(sheet, paper, scale))
    drawn = pdf
    if (!isOver) break
  }
  if (!drawn) throw new Error('a paper is drawn at one scale at least')
  return drawn
}

/** Answers where the last line ends. */
function arrange(sheet: Sheet, paper: PrintedPaper, scale: number): number {
  let y = head(sheet, paper, scale)
  y = factRow(sheet, paper.facts, y + 22 * scale, scale)
  y = parties(sheet, paper.parties, y + 26 * scale, scale)
  if (paper.lines.length > 0) y = goods(sheet, paper, y + 28 * scale, scale)
  for (const { heading, facts } of paper.sections) y = section(sheet, heading, facts, y + 24 * scale, scale)
  y = notes(sheet, paper.notes, y + 26 * scale, scale)
  foot(sheet, paper)
  return y
}

function head(sheet: Sheet, { title, mark }: PrintedPaper, scale: number): number {
  const top = PAGE.top
  sheet.write('P', 'Yardbid', { x: PAGE.left, y: top, width: 200, size: 14, face: 'display', colour: 'copper' })
  const end = sheet.write('H1', title, { x: PAGE.left, y: top + 24, width: WIDTH - 120, size: 32 * scale, face: 'display' })
  if (mark) {
    const place = {
      x: PAGE.right - 120,
      y: top + 24,
      width: 120,
      size: 32 * scale,
      face: 'display',
      colour: 'danger',
      align: 'right',
    } as const
    sheet.write('P', mark, place)
  }
  sheet.rule(end + 6, PAGE.left, PAGE.right, 'copper', 1.5)
  return end + 6
}

/** Labels above values, side by side: as many columns as there are facts. */
function factRow(sheet: Sheet, facts: readonly Fact[], y: number, scale: number): number {
  const width = (WIDTH - GAP * (facts.length - 1)) / Math.max(1, facts.length)
  return Math.max(
    y,
    ...facts.map(({ label, value }, nth) => {
      const x = PAGE.left + nth * (width + GAP)
      return sheet.inside('Sect', () => {
        const below = sheet.write('P', label, { x, y, width, size: 8 * scale, colour: 'muted' })
        return sheet.write('P', value, { x, y: below + 1, width, size: 10 * scale, face: 'strong' })
      })
    }),
  )
}

function parties(sheet: Sheet, list: PrintedPaper['parties'], y: number, scale: number): number {
  const width = (WIDTH - GAP) / 2
  return Math.max(
    ...list.map(({ heading, lines: [name = '', ...rest] }, nth) => {
      const x = PAGE.left + nth * (width + GAP)
      return sheet.inside('Sect', () => {
        let end = sheet.write('H2', heading, { x, y, width, size: 8 * scale, colour: 'muted' })
        end = sheet.write('P', name, { x, y: end + 2, width, size: 11 * scale, face: 'strong' })
        return sheet.write('P', rest.join('\n'), { x, y: end + 1, width, size: 9.5 * scale })
      })
    }),
  )
}

const columns = [
  { heading: 'Goods', x: PAGE.left, width: 250, align: 'left' },
  { heading: 'Quantity', x: PAGE.left + 258, width: 70, align: 'right' },
  { heading: 'Price', x: PAGE.left + 334, width: 80, align: 'right' },
  { heading: 'Amount', x: PAGE.left + 420, width: WIDTH - 420, align: 'right' },
] as const

function goods(sheet: Sheet, { lines, totals }: PrintedPaper, top: number, scale: number): number {
  return sheet.inside('Table', () => {
    let y = top
    sheet.inside('TR', () => {
      for (const { heading, ...place } of columns) sheet.write('TH', heading, { ...place, y, size: 8 * scale, colour: 'muted' })
    })
    y += 14 * scale
    sheet.rule(y, PAGE.left, PAGE.right, 'ink')
    y += 8 * scale
    for (const line of lines) y = goodsRow(sheet, line, y, scale)
    sheet.rule(y)
    for (const [nth, { label, amount }] of totals.entries())
      y = totalRow(sheet, label, amount, y + 8 * scale, nth === totals.length - 1 ? scale * 1.5 : scale)
    return y
  })
}

function goodsRow(
  sheet: Sheet,
  { description, detail, quantity, price, amount }: PrintedPaper['lines'][number],
  y: number,
  scale: number,
): number {
  const [first, ...figures] = columns
  return sheet.inside('TR', () => {
    const end = sheet.inside('TD', () => {
      const below = sheet.write('P', description, { ...first, y, size: 10.5 * scale, face: 'strong' })
      return sheet.write('P', detail, { ...first, y: below + 1, size: 9 * scale, colour: 'muted' })
    })
    for (const [nth, text] of [quantity, price, formatPence(amount)].entries()) {
      const place = figures[nth]
      // an empty cell keeps the columns of the table in step
      if (place) sheet.write('TD', text, { x: place.x, width: place.width, align: 'right', y: y - 1, size: 12.5 * scale, face: 'display' })
    }
    return end + 8 * scale
  })
}

function totalRow(sheet: Sheet, label: string, amount: number, y: number, scale: number): number {
  const [, , , last] = columns
  return sheet.inside('TR', () => {
    const size = 13 * scale
    sheet.write('TH', label, { x: PAGE.left + 200, y: y + size * 0.2, width: 200, size: 9.5 * Math.min(scale, 1.1), align: 'right' })
    return sheet.write('TD', formatPence(amount), { x: last.x - 40, width: last.width + 40, y, size, face: 'display', align: 'right' })
  })
}

const LABEL_WIDTH = 130

function section(sheet: Sheet, heading: string, facts: readonly Fact[], top: number, scale: number): number {
  return sheet.inside('Sect', () => {
    let y = sheet.write('H2', heading, { x: PAGE.left, y: top, width: WIDTH, size: 15 * scale, face: 'display' }) + 3 * scale
    sheet.rule(y, PAGE.left, PAGE.right, 'ink')
    for (const { label, value } of facts) {
      const from = y + 5 * scale
      const ends = sheet.inside('Sect', () => [
        sheet.write('P', label, { x: PAGE.left, y: from, width: LABEL_WIDTH, size: 9 * scale, colour: 'muted' }),
        sheet.write('P', value, { x: PAGE.left + LABEL_WIDTH + 10, y: from, width: WIDTH - LABEL_WIDTH - 10, size: 9.5 * scale }),
      ])
      y = Math.max(...ends) + 3 * scale
      sheet.rule(y)
    }
    return y
  })
}

function notes(sheet: Sheet, list: readonly string[], top: number, scale: number): number {
  let y = top
  for (const note of list) y = sheet.write('P', note, { x: PAGE.left, y, width: 400, size: 9 * scale }) + 3 * scale
  return y
}

function foot(sheet: Sheet, { title, number }: PrintedPaper): void {
  const name = number ? `${title} ${number}` : title
  sheet.write('P', `Yardbid · ${name} · Page 1 of 1`, { x: PAGE.left, y: PAGE.footer, width: WIDTH, size: 7.5, colour: 'muted' })
}
