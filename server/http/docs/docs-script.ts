import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import Fastify from 'fastify'

const DIR = resolve(import.meta.dirname, '../../../dist/docs')

/**
 * The script that draws the documentation, as a file with its gzip form beside it: 4.3 MB that are streamed from disk rather than
 * kept in memory for each client that reads slowly. Written once for each version of the package, and named after it.
 */
export async function ensureDocsScript(): Promise<{ dir: string; name: string }> {
  const hash = createHash('sha256').update(await readFile(fileURLToPath(import.meta.resolve('@scalar/fastify-api-reference'))))
  const name = `scalar-${hash.digest('hex').slice(0, 12)}.js`
  if (!existsSync(join(DIR, name))) await writeScript(name)
  return { dir: DIR, name }
}

async function writeScript(name: string): Promise<void> {
  const script = await readScript()
  await mkdir(DIR, { recursive: true })
  // the name that is looked for last: what has it is complete
  await writeWhole(`${name}.gz`, await promisify(gzip)(script, { level: 9 }))
  await writeWhole(name, script)
}

/** The package hands its script out over HTTP alone. */
async function readScript(): Promise<Buffer> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const app = Fastify()
  await app.register(scalar, { routePrefix: '/docs', configuration: { url: '/' } })
  const { statusCode, rawPayload } = await app.inject('/docs/js/scalar.js')
  await app.close()
  if (statusCode !== 200) throw new Error('the package of the documentation has its script at another address')
  return rawPayload
}

/** Whole or not at all: several processes may start at once. */
async function writeWhole(name: string, content: Buffer): Promise<void> {
  const draft = join(DIR, `.${name}-${process.pid}`)
  await writeFile(draft, content)
  await rename(draft, join(DIR, name))
}
