import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'

const folder = new URL('./migrations/', import.meta.url)
export const MIGRATION_LOCK = 7_210_001

/** The role that the server's connections take on: it cannot change append-only tables, nor the schema. */
export const APP_ROLE = 'yardbid_app'

export const migrationNames = async (): Promise<string[]> => (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()

/** Runs what has not run yet, each file in its own transaction, one process at a time. Answers the names it ran. */
export async function migrate(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {}) // a connection that breaks fails its query; without a listener it would end the process
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    await ensureAppRole(client)
    await client.query(
      'create table if not exists migrations (name text primary key, ran_at timestamptz not null default clock_timestamp())',
    )
    await client.query(`grant select on migrations to ${APP_ROLE}`)
    await client.query('alter table migrations add column if not exists checksum text')
    const { rows } = await client.query<{ name: string; checksum: string | null }>('select name, checksum from migrations')
    const done = new Map(rows.map(({ name, checksum }) => [name, checksum]))
    const files = await readMigrations()
    await compareChecksums(client, files, done)
    const missing = files.filter(({ name }) => !done.has(name))
    for (const file of missing) await run(client, file)
    return missing.map(({ name }) => name)
  } finally {
    await client.end()
  }
}

type Migration = { name: string; text: string; checksum: string }

const readMigrations = async (): Promise<Migration[]> =>
  Promise.all(
    (await migrationNames()).map(async (name) => {
      const text = await readFile(new URL(name, folder), 'utf8')
      return { name, text, checksum: hash('sha256', text) }
    }),
  )

export class MigrationRefusal extends Error {}

/** A migration that ran is never edited. Databases from before there were checksums take those of today, once. */
async function compareChecksums(client: pg.Client, files: readonly Migration[], done: ReadonlyMap<string, string | null>): Promise<void> {
  const changed = files.filter(({ name, checksum }) => (done.get(name) ?? checksum) !== checksum)
  if (changed.length > 0)
    throw new MigrationRefusal(
      `These migrations were changed after they ran on this database: ${changed.map(({ name }) => name).join(', ')}. Restore them, and put the change into a new one.`,
    )
  for (const { name, checksum } of files.filter((file) => done.get(file.name) === null))
    await client.query('update migrations set checksum = $2 where name = $1', [name, checksum])
}

async function run(client: pg.Client, { name, text, checksum }: Migration) {
  await client.query('begin')
  try {
    await client.query(text)
    await client.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum])
    await client.query('commit')
  } catch (cause) {
    // the transaction ends with the connection
    throw new Error(`migration ${name} failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

export async function ensureAppRole(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ exists: boolean; usable: boolean }>(
    `select exists (select from pg_roles where rolname = $1) as exists,
            exists (select from pg_roles where rolname = $1) and pg_has_role(current_user, (select oid from pg_roles where rolname = $1), 'set') as usable`,
    [APP_ROLE],
  )
  if (rows[0]?.usable) return
  try {
    // several databases of one cluster may be migrated at once, and roles belong to the cluster
    if (!rows[0]?.exists) {
      await client.query(
        `do $$ begin create role ${APP_ROLE} nologin; exception when duplicate_object or unique_violation then null; end $$`,
      )
    }
    await client.query(`grant ${APP_ROLE} to current_user`)
  } catch (cause) {
    throw new Error(`the database user may not create the role ${APP_ROLE}: create it and grant it to this user, then start again`, {
      cause,
    })
  }
}
