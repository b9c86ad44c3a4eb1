import { resolve } from 'node:path'
import { printFigures, type Benchmark } from '#benchmarks/figures.ts'

// npm run bench [-- name …] [quick]
//
// Adding one: a file here that exports `run`, and a line below. `run` measures, answers its figures with the goals of
// DESIGN beside them, and throws when what it measured was wrong. Slow is a figure, wrong is a failure.

const benchmarks: Record<string, () => Promise<{ run: Benchmark }>> = {
  bids: () => import('#benchmarks/bids.ts'),
  chat: () => import('#benchmarks/chat.ts'),
  closing: () => import('#benchmarks/closing.ts'),
  deals: () => import('#benchmarks/deals.ts'),
  live: () => import('#benchmarks/live.ts'),
  matching: () => import('#benchmarks/matching.ts'),
  pages: () => import('#benchmarks/pages.ts'),
  search: () => import('#benchmarks/search.ts'),
}

process.chdir(resolve(import.meta.dirname, '..'))

const asked = process.argv.slice(2)
const isQuick = asked.includes('quick')
const names = asked.filter((word) => word !== 'quick')
const unknown = names.filter((name) => !Object.hasOwn(benchmarks, name))

if (unknown.length > 0) {
  console.error(
    `There is no benchmark '${unknown.join(' ')}'. There are: ${Object.keys(benchmarks).join(', ')}; and quick, for a short look.`,
  )
  process.exitCode = 1
} else {
  for (const name of names.length > 0 ? names : Object.keys(benchmarks)) await runOne(name)
}

async function runOne(name: string): Promise<void> {
  console.log(`\n${name}${isQuick ? ', a quick look: too short to judge by' : ''}`)
  try {
    const { run } = (await benchmarks[name]?.()) ?? {}
    printFigures((await run?.({ isQuick, say: (text) => console.log(`  ${text}`) })) ?? [])
  } catch (error) {
    console.error(error)
    process.exitCode = 1
  }
}
