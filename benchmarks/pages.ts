import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { chromium } from '@playwright/test'
import { demoPassword } from '#database/demo/users.ts'
import { findBrowser } from '#scripts/browsers/chromium.ts'
import { newClient } from '#tests/support/client.ts'
import type { Benchmark, Figure } from '#benchmarks/figures.ts'

// What Lighthouse says of the dashboard and of a listing, on a phone, as a visitor and as a member. It is none of our dependencies,
// a hundred packages for a few figures: LIGHTHOUSE names the folder in which somebody has installed it.

const PORT = 3161
const DEBUGGING_PORT = 3162
const GOAL = 95
const HOW = 'npm install --prefix .cache/lighthouse lighthouse, then LIGHTHOUSE=.cache/lighthouse npm run bench -- pages'

type Lighthouse = (url: string, flags: object) => Promise<{ lhr: Report } | undefined>
type Report = { categories: Record<string, { title: string; score: number | null }>; environment: { benchmarkIndex: number } }
type Page = { name: string; path: string; cookie?: string }

export const run: Benchmark = async ({ isQuick, say }) => {
  const lighthouse = await findLighthouse()
  if (!lighthouse) {
    say(`Left out, because Lighthouse is not there: ${HOW}`)
    return []
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-pages-'))
  const server = await startServer(dataDir)
  try {
    const figures: Figure[] = []
    for (const page of await pagesToMeasure()) figures.push(...(await measure(lighthouse, page, isQuick ? 1 : 3, say)))
    return figures
  } finally {
    server.kill()
    await once(server, 'exit')
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function findLighthouse(): Promise<Lighthouse | undefined> {
  const folder = process.env['LIGHTHOUSE']
  if (!folder) return undefined
  const file = createRequire(join(resolve(folder), 'package.json')).resolve('lighthouse')
  return ((await import(pathToFileURL(file).href)) as { default: Lighthouse }).default
}

async function startServer(dataDir: string) {
  const server = spawn(process.execPath, ['server/main.ts'], {
    env: { ...process.env, DATA_DIR: dataDir, PORT: String(PORT), LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface(server.stdout)) if (line.includes('is running')) return server
  throw new Error('The server did not start')
}

async function pagesToMeasure(): Promise<Page[]> {
  const client = newClient(`http://127.0.0.1:${PORT}`)
  const { body } = await client.get('/api/v1/listings?sort=newest&per_page=1')
  const path = `/listings/${body.data[0].id}`
  await client.logIn('buyer@yardbid.test', demoPassword)
  const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  return [
    { name: 'dashboard, visitor', path: '/' },
    { name: 'listing, visitor', path },
    { name: 'dashboard, member', path: '/', cookie },
    { name: 'listing, member', path, cookie },
  ]
}

/** The best of the runs by category: whatever else runs on the machine only ever makes a page slower. */
async function measure(lighthouse: Lighthouse, { name, path, cookie }: Page, runs: number, say: (text: string) => void): Promise<Figure[]> {
  const best = new Map<string, number>()
  let slowdown = 4
  // the first visit tells how fast this machine is, and is not counted
  for (let nth = 0; nth <= runs; nth++) {
    const { categories, environment } = await visit(lighthouse, path, cookie, slowdown)
    if (nth > 0)
      for (const { title, score } of Object.values(categories)) best.set(title, Math.max(best.get(title) ?? 0, (score ?? 0) * 100))
    slowdown = slowdownFor(environment.benchmarkIndex)
    say(`${name}: benchmark index ${Math.round(environment.benchmarkIndex)}`)
  }
  return [...best].map(([title, score]) => ({
    what: `${name}: ${title}`,
    measured: score.toFixed(0),
    goal: `≥ ${GOAL}`,
    isMet: score >= GOAL,
  }))
}

async function visit(lighthouse: Lighthouse, path: string, cookie: string | undefined, cpuSlowdownMultiplier: number): Promise<Report> {
  const { executablePath, env } = await findBrowser()
  const browser = await chromium.launch({ executablePath, env, args: [`--remote-debugging-port=${DEBUGGING_PORT}`] })
  try {
    const result = await lighthouse(`http://127.0.0.1:${PORT}${path}`, {
      port: DEBUGGING_PORT,
      logLevel: 'error',
      onlyCategories: ['performance', 'accessibility', 'best-practices', 'seo'],
      throttling: { rttMs: 150, throughputKbps: 1_638.4, cpuSlowdownMultiplier },
      ...(cookie && { extraHeaders: { Cookie: cookie } }),
    })
    if (!result) throw new Error(`Lighthouse said nothing about ${path}`)
    return result.lhr
  } finally {
    await browser.close()
  }
}

// Lighthouse's own advice: a slow machine is slowed down less, so that the phone it stands for stays the same one
const slowdowns = [
  [150, 1],
  [800, 2],
  [1_300, 3],
  [2_000, 6],
] as const

function slowdownFor(benchmarkIndex: number): number {
  const at = slowdowns.findIndex(([index]) => benchmarkIndex < index)
  const [low, high] = [slowdowns[at - 1], slowdowns[at]]
  if (!low || !high) return at === 0 ? 1 : 6
  return low[1] + ((benchmarkIndex - low[0]) / (high[0] - low[0])) * (high[1] - low[1])
}
