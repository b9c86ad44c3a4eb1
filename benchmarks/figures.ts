/** One line of a benchmark's table. `isMet` is there when the figure has a goal. */
export type Figure = { what: string; measured: string; goal?: string; isMet?: boolean }

export type Benchmark = (options: {
  /** Seconds instead of minutes: shows that it runs, not how fast. */
  isQuick: boolean
  say: (text: string) => void
}) => Promise<Figure[]>

export const atLeast = (what: string, value: number, goal: number): Figure => ({
  what,
  measured: value.toFixed(2),
  goal: `≥ ${goal}`,
  isMet: value >= goal,
})

export const atMost = (what: string, value: number, goal: number, unit: string): Figure => ({
  what,
  measured: `${value.toFixed(1)} ${unit}`,
  goal: `≤ ${goal} ${unit}`,
  isMet: value <= goal,
})

/** The median of several runs, with the lowest and the highest beside it: machines are noisy. */
export const perSecond = (what: string, values: readonly number[]): Figure => ({
  what,
  measured: `${whole(median(values))}/s  (${whole(Math.min(...values))} - ${whole(Math.max(...values))})`,
})

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.floor(middle)] ?? NaN) + (sorted[Math.ceil(middle) - 1] ?? NaN)) / 2
}

export function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? NaN
}

export function printFigures(figures: readonly Figure[]): void {
  const width = Math.max(...figures.map(({ what }) => what.length))
  for (const { what, measured, goal, isMet } of figures) {
    const verdict = goal === undefined ? '' : `   goal ${goal.padEnd(9)} ${isMet ? '✓' : '✗ not met'}`
    console.log(`  ${what.padEnd(width)}  ${measured.padEnd(goal === undefined ? 0 : 10)}${verdict}`)
  }
}

const whole = (value: number) => Math.round(value).toLocaleString('en-GB')
