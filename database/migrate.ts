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
    const done = new Set((await client.query<{ name: string }>('select name from migrations')).rows.map((row) => row.name))
    const missing = (await migrationNames()).filter((name) => !done.has(name))
    for (const name of missing) await run(client, name)
    return missing
  } finally {
    await client.end()
  }
}

async function run(client: pg.Client, name: string) {
  const sql = await readFile(new URL(name, folder), 'utf8')
  await client.query('begin')
  try {
    await client.query(sql)
    await client.query('insert into migrations (name) values ($1)', [name])
    await client.query('commit')
  } catch (cause) {
    // the transaction ends with the connection
    throw new Error(`migration ${name} failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

async function ensureAppRole(client: pg.Client) {
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
