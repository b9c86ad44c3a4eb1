import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { openYard, type Yard } from '#tests/support/yard.ts'

let yard: Yard
let dir: string
before(async () => {
  dir = await mkdtemp(join(tmpdir(), 'web-'))
  await mkdir(join(dir, 'assets'))
  await writeFile(join(dir, 'index.html'), '<!doctype html><title>Yardbid</title>')
  await writeFile(join(dir, 'favicon.svg'), '<svg/>')
  await writeFile(join(dir, 'assets', 'app-1.js'), '1')
  yard = await openYard({ webDir: dir })
})
after(async () => {
  await yard.close()
  await rm(dir, { recursive: true, force: true })
})

test('what was built is kept for a year under its own name, the rest for five minutes, the page not at all', async () => {
  const kept = async (path: string) => (await get(path)).headers['cache-control']
  assert.equal(await kept('/assets/app-1.js'), 'public, max-age=31536000, immutable')
  assert.equal(await kept('/favicon.svg'), 'public, max-age=300')
  assert.equal(await kept('/login'), 'no-cache')
})

for (const path of ['/assets/not-there-yet.js', '/assets/%00', '/assets/..%2findex.html', '/assets/']) {
  test(`${path} is refused, and no cache keeps the refusal`, async () => {
    const { status, headers } = await get(path)
    assert.ok(status >= 400 && status < 500, String(status))
    assert.equal(headers['cache-control'], 'no-store')
  })
}

for (const path of ['//', '//[', '/\\', '//evil.test/login', '/login%0a', '/?x=//']) {
  test(`the address ${path} gets the page or a 404, never a fault`, async () => {
    for (const accept of ['text/html', 'application/json']) assert.ok([200, 404].includes((await get(path, accept)).status))
  })
}

/** The path as it is: fetch would tidy it up. */
async function get(path: string, accept = '*/*') {
  const { hostname, port } = new URL(yard.url)
  const asked = request({ hostname, port, path, headers: { accept } }).end()
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  await text(answer)
  return { status: answer.statusCode ?? 0, headers: answer.headers }
}
