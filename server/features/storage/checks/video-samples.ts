/** The tables of a track, without their headers: samples per chunk, sizes of samples, and where chunks begin. */
export type Track = Record<'stsc' | 'stsz' | 'stco' | 'co64', Buffer | undefined>

/** Where the samples of a track lie in the file, without overlaps; nothing when its tables are of a kind that is not known here. */
export function samplesOf({ stsc, stsz, stco, co64 }: Track, fileSize: number): { start: number; length: number }[] | undefined {
  const table = co64 ?? stco
  if (!stsc || !stsz || !table) return undefined
  const lengthOf = sampleLengths(stsz)
  const runs = rowsOf(stsc, 12, (at) => ({ firstChunk: stsc.readUInt32BE(at), samples: stsc.readUInt32BE(at + 4) }))
  const starts = co64 ? rowsOf(co64, 8, (at) => Number(co64.readBigUInt64BE(at))) : rowsOf(table, 4, (at) => table.readUInt32BE(at))
  let sample = 0
  let run = 0
  const chunks = starts.map((start, nth) => {
    while ((runs[run + 1]?.firstChunk ?? Infinity) <= nth + 1) run += 1
    const samples = runs[run]?.samples ?? 0
    const length = lengthOf(sample, samples)
    sample += samples
    return { start, length: Math.min(length, fileSize - start) }
  })
  return joined(chunks.filter(({ length }) => length > 0).toSorted((one, other) => one.start - other.start))
}

/** Tables that send to the same place a million times cost no more than the file is long. */
function joined(sorted: readonly { start: number; length: number }[]): { start: number; length: number }[] {
  const parts: { start: number; length: number }[] = []
  for (const { start, length } of sorted) {
    const last = parts.at(-1)
    if (last && start <= last.start + last.length) last.length = Math.max(last.length, start + length - last.start)
    else parts.push({ start, length })
  }
  return parts
}

/** How long so many samples are together, from one on. */
function sampleLengths(stsz: Buffer): (from: number, count: number) => number {
  const same = stsz.length >= 8 ? stsz.readUInt32BE(4) : 0
  if (same > 0) return (_from, count) => same * count
  const told = Math.floor((stsz.length - 12) / 4)
  return (from, count) => {
    let sum = 0
    for (let nth = from; nth < Math.min(from + count, told); nth++) sum += stsz.readUInt32BE(12 + nth * 4)
    return sum
  }
}

/** The rows of a table: version and flags, how many, then the rows. It has no more rows than bytes for them. */
function rowsOf<Row>(table: Buffer, width: number, read: (at: number) => Row): Row[] {
  const told = table.length >= 8 ? table.readUInt32BE(4) : 0
  const count = Math.max(0, Math.min(told, Math.floor((table.length - 8) / width)))
  return Array.from({ length: count }, (_each, nth) => read(8 + nth * width))
}
