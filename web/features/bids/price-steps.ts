import type { Pence } from '#domain/money.ts'

/** A line that stays at each price until the next one: an SVG path. */
export function stepsOf(prices: readonly Pence[], { width, height, inset }: { width: number; height: number; inset: number }): string {
  const low = Math.min(...prices)
  const span = Math.max(...prices) - low || 1
  const x = (at: number) => round((at / prices.length) * width)
  const y = (price: Pence) => round(height - inset - ((price - low) / span) * (height - 2 * inset))
  return `M0 ${y(prices[0] ?? 0)}${prices.map((price, at) => `V${y(price)}H${x(at + 1)}`).join('')}`
}

const round = (value: number) => Math.round(value * 10) / 10
