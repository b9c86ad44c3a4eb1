import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { exposition } from '#server/metrics/exposition.ts'
import { watchGauges } from '#server/metrics/gauges.ts'
import { counted } from '#server/metrics/metrics.ts'
import { parseExposition } from '#tests/support/metrics.ts'

// The files of deploy/ against the code that they speak of.

const root = path.resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found)

/** Every name that a query may ask for. */
async function exported(): Promise<Set<string>> {
  const gauges = watchGauges({ about: {}, pools: {}, liveConnections: () => 0 })
  const { types } = parseExposition(exposition([...counted, ...(await gauges.read())]))
  gauges.stop()
  return new Set(
    [...types].flatMap(([name, type]) => (type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name])),
  )
}

const dashboard = JSON.parse(read('deploy/grafana/yardbid.json')) as {
  panels: { id: number; title: string; gridPos: { x: number; y: number; w: number; h: number }; targets: { expr: string }[] }[]
}
const rules = read('deploy/alerts.yml')
const alerts = rules.split(/^ {6}- /m).slice(1)

test('alert rules and dashboard ask for metrics that are exported, and for each that needs an eye', async () => {
  const names = await exported()
  const asked = [
    ...alerts.map((rule) => /^ {8}expr: (.+)$/m.exec(rule)?.[1] ?? ''),
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ]
  const used = new Set(asked.flatMap((expr) => all(expr, /\b((?:yardbid|process)_\w+)/g)))
  assert.deepEqual(
    [...used].filter((name) => !names.has(name)),
    [],
  )
  const unseen = [...names].filter(
    (name) => !name.endsWith('_sum') && !used.has(name) && !used.has(name.replace(/_(?:bucket|count)$/, '_bucket')),
  )
  assert.deepEqual(unseen, ['process_start_time_seconds'])
})

test('every alert says how bad it is and in a sentence what is wrong, and the handbook says what to do', () => {
  const handbook = read('docs/operating.md')
  assert.ok(alerts.length > 10)
  for (const rule of alerts) {
    const name = /^alert: (\w+)$/m.exec(rule)?.[1] ?? ''
    assert.match(name, /^Yardbid[A-Z]/, rule)
    assert.match(rule, /^ {8}expr: .+$/m, name)
    assert.match(rule, /^ {8}for: \d+m$/m, name)
    assert.match(rule, /^ {10}severity: (?:page|ticket)$/m, name)
    assert.match(rule, /^ {10}summary: .{10,}$/m, name)
    assert.ok(handbook.includes(`| \`${name}\` |`), `docs/operating.md has no row for ${name}`)
  }
  assert.deepEqual(
    all(handbook, /^\| `(Yardbid\w+)` \|/gm).filter((name) => !rules.includes(`alert: ${name}\n`)),
    [],
    'a row of an alert that there is not',
  )
})

test('the panels of the dashboard do not cover one another', () => {
  const places = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, nth) => `${x + (nth % w)} ${y + Math.floor(nth / w)}`),
  )
  assert.equal(new Set(places).size, places.length)
  assert.equal(new Set(dashboard.panels.map(({ id }) => id)).size, dashboard.panels.length)
})

const promtool = (...args: string[]) => spawnSync('promtool', args, { cwd: path.join(root, 'deploy'), encoding: 'utf8' })
const hasPromtool = promtool('--version').error === undefined
for (const args of [
  ['check', 'rules', 'alerts.yml'],
  ['test', 'rules', 'alerts-test.yml'],
  ['check', 'config', 'prometheus.yml'],
])
  test(`promtool ${args.join(' ')}`, { skip: !hasPromtool && 'promtool is not installed' }, () => {
    const { status, stdout, stderr } = promtool(...args)
    assert.equal(status, 0, stdout + stderr)
  })

const compose = read('deploy/compose.yaml')
const container = read('deploy/Containerfile')

test('images are named without a registry', () => {
  const images = [...all(compose, /^\s+image: (\S+)$/gm), ...all(container, /^FROM (\S+)/gm)]
  assert.ok(images.length >= 8)
  for (const image of images) assert.doesNotMatch(image, /^[^/]*[.:][^/]*\//, image)
})

test('the compose file sets variables that the product reads, and takes them from env.example', () => {
  const known = new Set(all(read('server/config.ts'), /^ {2}([A-Z\d_]+): /gm))
  const product = compose.slice(compose.indexOf('environment: &environment'), compose.indexOf('healthcheck: &health'))
  assert.deepEqual(
    all(product, /^ {4}([A-Z\d_]+): /gm).filter((name) => !known.has(name)),
    [],
  )
  const given = new Set(all(read('deploy/env.example'), /^([A-Z\d_]+)=/gm))
  const taken = new Set(all(compose, /\$\{(\w+)\}/g))
  assert.deepEqual(taken, given)
})

test('the Containerfile has known instructions, copies what there is and starts what there is', () => {
  const lines = container.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const known = ['FROM', 'WORKDIR', 'COPY', 'RUN', 'ENV', 'USER', 'VOLUME', 'EXPOSE', 'STOPSIGNAL', 'CMD']
  for (const line of lines) assert.ok(known.includes(line.split(' ')[0] ?? ''), line)
  const sources = lines
    .filter((line) => line.startsWith('COPY ') && !line.includes('--from'))
    .flatMap((line) => line.split(' ').slice(1, -1))
  const started = all(container, /node (server\/\S+\.ts)/g)
  const [, main = ''] = JSON.parse(lines.at(-1)?.slice('CMD '.length) ?? '[]') as string[]
  for (const file of [...sources, ...started, main]) assert.ok(existsSync(path.join(root, file)), file)
  const mounted = all(compose, /^\s+- \.\/(\S+?):/gm)
  for (const file of mounted) assert.ok(existsSync(path.join(root, 'deploy', file)), file)
})
