import { createHash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { migrate, migrationNames } from '#database/migrate.ts'
import { throwAwayCluster } from '#tests/support/processes/cluster.ts'

export type FreshDatabase = { url: string; drop: () => Promise<void> }

/** A migrated, empty database for one test file: copied from a template in about 50 ms. */
export async function freshDatabase(): Promise<FreshDatabase> {
  const cluster = await clusterUrl()
  const template = await migratedTemplate(cluster)
  const name = `test_${randomBytes(6).toString('hex')}`
  await asAdmin(cluster, (admin) => admin.query(`create database ${name} template ${template}`))
  return {
    url: inDatabase(cluster, name),
    drop: () => asAdmin(cluster, async (admin) => void (await admin.query(`drop database if exists ${name} with (force)`))),
  }
}

let own: Promise<string> | undefined

// the runner of all tests starts one cluster for every file; a file run alone starts its own
async function clusterUrl(): Promise<string> {
  const given = process.env['TEST_DATABASE_URL']
  own ??= given ? Promise.resolve(given) : throwAwayCluster().then(({ url }) => url)
  return own
}

let template: Promise<string> | undefined

const migratedTemplate = (cluster: string): Promise<string> => (template ??= makeTemplateOnce(cluster))

// test files are processes of their own: the first one makes the template, the others wait for it
async function makeTemplateOnce(cluster: string): Promise<string> {
  const name = `template_${await migrationsHash()}`
  await asAdmin(cluster, async (admin) => {
    await admin.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK])
    const { rowCount } = await admin.query('select from pg_database where datname = $1', [name])
    if (rowCount !== 0) return
    await admin.query(`drop database if exists ${name}_draft`)
    await admin.query(`create database ${name}_draft`)
    await migrate(inDatabase(cluster, `${name}_draft`))
    await admin.query(`alter database ${name}_draft rename to ${name}`)
  })
  return name
}

const TEMPLATE_LOCK = 7_261_002

async function migrationsHash(): Promise<string> {
  const hash = createHash('sha256')
  for (const name of await migrationNames()) hash.update(await readFile(new URL(`../../../database/migrations/${name}`, import.meta.url)))
  return hash.digest('hex').slice(0, 12)
}

/** A connection whose loss fails the statement that runs on it; without a listener it would end the process of the tests. */
export async function connectTo(url: string, options: pg.ClientConfig = {}): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, ...options })
  client.on('error', () => {})
  await client.connect()
  return client
}

async function asAdmin<Result>(cluster: string, work: (admin: pg.Client) => Promise<Result>): Promise<Result> {
  const admin = await connectTo(inDatabase(cluster, 'postgres'))
  try {
    return await work(admin)
  } finally {
    await admin.end()
  }
}

function inDatabase(cluster: string, name: string): string {
  const url = new URL(cluster)
  url.pathname = `/${name}`
  return url.href
}
