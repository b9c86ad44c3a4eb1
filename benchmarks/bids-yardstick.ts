import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand } from '#scripts/run-command.ts'
import { connectTo } from '#tests/support/processes/postgres.ts'

// The other side of the comparison: bids-yardstick.sql called once per transaction, by pgbench where it is installed.

export type YardstickRun = { clients: number; seconds: number; listings: number; bidders: number }
export type Yardstick = { name: string; run: (run: YardstickRun) => Promise<{ accepted: number; perSecond: number }> }

export const listingId = (nth: number) => `11111111-0000-4000-8000-${String(nth).padStart(12, '0')}`
export const bidderId = (nth: number) => `22222222-0000-4000-8000-${String(nth).padStart(12, '0')}`

export function yardstickOn(url: string): Yardstick {
  const isInstalled = spawnSync('pgbench', ['--version']).status === 0
  return isInstalled
    ? { name: 'pgbench', run: (run) => byPgbench(url, run) }
    : { name: 'a driver of our own (pgbench is not installed)', run: (run) => byOwnDriver(url, run) }
}

async function byPgbench(url: string, { clients, seconds, listings, bidders }: YardstickRun) {
  const folder = await mkdtemp(join(tmpdir(), 'yardbid-pgbench-'))
  const script = join(folder, 'bid.sql')
  const id = (from: string, name: string) => `('${from.slice(0, 24)}' || lpad(:${name}::text, 12, '0'))::uuid`
  await writeFile(
    script,
    `\\set listing random(1, ${listings})
     \\set bidder random(1, ${bidders})
     select yardstick_bid(${id(listingId(1), 'listing')}, ${id(bidderId(1), 'bidder')}, gen_random_uuid()::text);`.replace(/^ +/gm, ''),
  )
  const threads = Math.min(clients, 2)
  const args = ['-n', '-M', 'prepared', '-c', clients, '-j', threads, '-T', seconds, '-f', script, url].map(String)
  const { code, output } = await runCommand('pgbench', args)
  await rm(folder, { recursive: true })
  const read = (line: RegExp) => Number(line.exec(output)?.[1] ?? NaN)
  const accepted = read(/transactions actually processed: (\d+)/)
  // it names no rate when nothing came through
  const perSecond = accepted === 0 ? 0 : read(/^tps = ([\d.]+)/m)
  if (code !== 0 || Number.isNaN(accepted + perSecond)) throw new Error(`pgbench failed:\n${output}`)
  return { accepted, perSecond }
}

async function byOwnDriver(url: string, { clients, seconds, listings, bidders }: YardstickRun) {
  const some = (count: number) => 1 + Math.floor(Math.random() * count)
  let accepted = 0
  const connections = await Promise.all(Array.from({ length: clients }, () => connectTo(url)))
  const began = performance.now()
  const until = began + seconds * 1_000
  await Promise.all(
    connections.map(async (client) => {
      while (performance.now() < until) {
        await client.query({
          name: 'bid',
          text: 'select yardstick_bid($1, $2, gen_random_uuid()::text)',
          values: [listingId(some(listings)), bidderId(some(bidders))],
        })
        accepted++
      }
    }),
  )
  const tookSeconds = (performance.now() - began) / 1_000
  await Promise.all(connections.map((client) => client.end()))
  return { accepted, perSecond: accepted / tookSeconds }
}
