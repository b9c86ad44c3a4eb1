/** One line of a CSV file. */
export const csvLine = (cells: readonly (string | number | null)[]) => `${cells.map(csvCell).join(',')}\r\n`

// a spreadsheet reads these as the beginning of a formula, full-width ones too
const startsFormula = /^[\s"']*[=+\-@＝＋－＠\t\r\n]/

/** Quoted always; an apostrophe in front keeps a spreadsheet from computing what somebody typed. */
function csvCell(cell: string | number | null): string {
  if (cell === null) return '""'
  if (typeof cell === 'number') return String(cell)
  return `"${(startsFormula.test(cell) ? `'${cell}` : cell).replaceAll('"', '""')}"`
}
