/** Random that a seed repeats: xorshift32. */
export type Random = {
  /** A whole number, both ends included. */
  between(least: number, most: number): number
  oneOf<T>(choices: readonly T[]): T
}

export function seededRandom(seed: number): Random {
  let state = seed >>> 0 || 1
  const next = () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  return { between, oneOf: (choices) => choices[between(0, choices.length - 1)] as (typeof choices)[number] }
}
