import assert from 'node:assert/strict'

export type Sample = { name: string; labels: Record<string, string>; value: number }
export type Scrape = {
  types: Map<string, string>
  samples: Sample[]
  /** The sum of all series of a name that have these labels. */
  sum(name: string, labels?: Record<string, string>): number
}

/** Reads the text exposition format as strictly as its specification is. */
export function parseExposition(text: string): Scrape {
  assert.ok(text.endsWith('\n'), 'the last line ends too')
  const types = new Map<string, string>()
  const samples: Sample[] = []
  for (const line of text.slice(0, -1).split('\n')) {
    const comment = /^# (HELP|TYPE) ([a-zA-Z_:][\w:]*) (.+)$/.exec(line)
    if (comment) {
      const [, kind, name = '', rest = ''] = comment
      if (kind === 'TYPE') assert.ok(!types.has(name), `${name} is declared once`)
      if (kind === 'TYPE') types.set(name, rest)
      continue
    }
    const sample = readSample(line)
    const family = sample.name.replace(/_(?:bucket|sum|count)$/, '')
    assert.ok(types.has(sample.name) || types.get(family) === 'histogram', `${sample.name} is declared before it is given`)
    samples.push(sample)
  }
  const seen = new Set(samples.map(({ name, labels }) => JSON.stringify([name, labels])))
  assert.equal(seen.size, samples.length, 'no series is given twice')
  return {
    types,
    samples,
    sum: (name, labels = {}) =>
      samples
        .filter((each) => each.name === name && Object.entries(labels).every(([label, value]) => each.labels[label] === value))
        .reduce((sum, { value }) => sum + value, 0),
  }
}

function readSample(line: string): Sample {
  const read = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line)
  assert.ok(read, `not a sample: ${line}`)
  const [, name = '', inside = '', number = ''] = read
  const labels: Record<string, string> = {}
  const rest = inside.replaceAll(/([a-zA-Z_]\w*)="((?:[^"\\]|\\[\\n"])*)"(?:,|$)/g, (_, label: string, value: string) => {
    labels[label] = value
    return ''
  })
  assert.equal(rest, '', `labels that cannot be read: ${line}`)
  const value = number === '+Inf' ? Infinity : Number(number)
  assert.ok(!Number.isNaN(value), `not a number: ${line}`)
  return { name, labels, value }
}

export async function scrape(port: number | undefined): Promise<Scrape & { text: string }> {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`)
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8')
  const text = await answer.text()
  return { ...parseExposition(text), text }
}
