// Prometheus's text exposition format, version 0.0.4, and the three kinds of metric that we have. Counting is a look into a map and an
// addition: it happens on every request and every batch of bids. Text is made when somebody asks.

export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** A metric of one name, which may have several series. */
export type Family = { name: string; text(): string }

type Named<Label extends string> = { name: string; help: string; labels: readonly Label[] }
type LabelValues<Label extends string> = Record<Label, string>

// Every label is bounded by design (route patterns, kinds of job). Beyond this many series a metric counts under 'other', so that a
// mistake here cannot fill the memory.
const MOST_SERIES = 2_000
const OTHER = 'other'

export type Counter<Label extends string> = Family & { add(labels: LabelValues<Label>, by?: number): void }

export function counter<Label extends string>({ name, help, labels }: Named<Label>): Counter<Label> {
  const seriesOf = keepSeries(labels, () => ({ value: 0 }))
  return {
    name,
    add(values, by = 1) {
      seriesOf.find(values).value += by
    },
    text: () =>
      family(
        { name, help, type: 'counter' },
        [...seriesOf.all()].map(([text, { value }]) => sample(name, text, value)),
      ),
  }
}

export type Histogram<Label extends string> = Family & { observe(labels: LabelValues<Label>, value: number): void }

/** `buckets` are upper bounds, ascending; one without a bound is added. */
export function histogram<Label extends string>({
  name,
  help,
  labels,
  buckets,
}: Named<Label> & { buckets: readonly number[] }): Histogram<Label> {
  const seriesOf = keepSeries(labels, () => ({ counts: new Float64Array(buckets.length + 1), sum: 0 }))
  const bounds = [...buckets.map(String), '+Inf']
  return {
    name,
    observe(values, value) {
      const series = seriesOf.find(values)
      let nth = 0
      while (nth < buckets.length && value > (buckets[nth] as number)) nth++
      series.counts[nth] = (series.counts[nth] ?? 0) + 1
      series.sum += value
    },
    text() {
      const lines = [...seriesOf.all()].flatMap(([text, { counts, sum }]) => {
        let count = 0
        const within = bounds.map((bound, nth) => {
          count += counts[nth] ?? 0
          return sample(`${name}_bucket`, joined(text, labelText({ le: bound })), count)
        })
        return [...within, sample(`${name}_sum`, text, sum), sample(`${name}_count`, text, count)]
      })
      return family({ name, help, type: 'histogram' }, lines)
    },
  }
}

type Reading = { labels?: Record<string, string>; value: number }

/** What is known only at the moment somebody asks. */
export const gauge = (name: string, help: string, readings: readonly Reading[], type: 'gauge' | 'counter' = 'gauge'): Family => ({
  name,
  text: () =>
    family(
      { name, help, type },
      readings.map(({ labels = {}, value }) => sample(name, labelText(labels), value)),
    ),
})

export const exposition = (families: readonly Family[]): string => families.map((each) => each.text()).join('')

function keepSeries<Label extends string, Series>(labels: readonly Label[], make: () => Series) {
  const byKey = new Map<string, { text: string; series: Series }>()
  const keyOf = (values: LabelValues<Label>) => {
    let key = ''
    for (const label of labels) key += `${values[label]}\0`
    return key
  }
  const add = (key: string, values: LabelValues<Label>) => {
    const made = { text: labelText(values), series: make() }
    byKey.set(key, made)
    return made
  }
  const overflow = Object.fromEntries(labels.map((label) => [label, OTHER])) as LabelValues<Label>
  return {
    find(values: LabelValues<Label>): Series {
      const key = keyOf(values)
      const known = byKey.get(key)
      if (known) return known.series
      if (byKey.size < MOST_SERIES) return add(key, values).series
      return (byKey.get(keyOf(overflow)) ?? add(keyOf(overflow), overflow)).series
    },
    *all(): Generator<[text: string, series: Series]> {
      for (const { text, series } of byKey.values()) yield [text, series]
    },
  }
}

const family = ({ name, help, type }: { name: string; help: string; type: string }, lines: readonly string[]) =>
  [`# HELP ${name} ${escaped(help)}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n')

const sample = (name: string, labels: string, value: number) => `${name}${labels && `{${labels}}`} ${numberText(value)}`

const numberText = (value: number) => (Number.isFinite(value) ? String(value) : Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf')

const labelText = (labels: Record<string, string>) =>
  Object.entries(labels)
    .map(([label, value]) => `${label}="${escaped(value).replaceAll('"', String.raw`\"`)}"`)
    .join(',')

const joined = (...texts: string[]) => texts.filter(Boolean).join(',')

const escaped = (text: string) => text.replaceAll('\\', String.raw`\\`).replaceAll('\n', String.raw`\n`)
