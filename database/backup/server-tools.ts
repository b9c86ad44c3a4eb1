import { spawn } from 'node:child_process'
import type pg from 'pg'
import { BackupRefusal } from '#database/backup/archive.ts'

// A database of DATABASE_URL is saved and restored by PostgreSQL's own tools, which have to be installed here.

type Tool = 'pg_dump' | 'pg_restore'

/** A snapshot: everything that was committed when it began, and nothing later. */
export async function dumpDatabase({ client, url, file, signal }: { client: pg.Client; url: string; file: string; signal: AbortSignal }) {
  const postgres = await checkTool('pg_dump', client, signal)
  const { rows } = await client.query<{ now: Date }>('select clock_timestamp() as now')
  await run('pg_dump', ['--format=custom', '--no-owner', `--file=${file}`], url, signal)
  return { complete_until: (rows[0]?.now ?? new Date(NaN)).toISOString(), postgres }
}

/** All of it or nothing, into a database that is empty and that nobody uses. */
export async function restoreDump({ client, url, file, signal }: { client: pg.Client; url: string; file: string; signal: AbortSignal }) {
  await checkTool('pg_restore', client, signal)
  const { rows } = await client.query<{ others: number; tables: number }>(`
    select (select count(*)::int
            from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend') as others,
           (select count(*)::int
            from pg_class c
            join pg_namespace n on n.oid = c.relnamespace
            where c.relkind in ('r', 'p', 'v', 'm') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema') as tables`)
  const [target] = rows
  if (target && target.others > 0)
    throw new BackupRefusal(`The database of DATABASE_URL is in use by ${target.others} connections. Stop whatever uses it.`)
  if (target && target.tables > 0)
    throw new BackupRefusal(`The database of DATABASE_URL has ${target.tables} tables already. Name an empty one.`)
  await run('pg_restore', ['--no-owner', '--single-transaction', '--exit-on-error', file], url, signal)
}

async function checkTool(tool: Tool, client: pg.Client, signal: AbortSignal): Promise<number> {
  const { rows } = await client.query<{ major: number }>(`select current_setting('server_version_num')::int / 10000 as major`)
  const server = rows[0]?.major ?? 0
  const version = Number(/(\d+)/.exec(await spawned(tool, ['--version'], {}, signal))?.[1])
  if (version < server)
    throw new BackupRefusal(
      `${tool} here is of PostgreSQL ${version}, and the server of DATABASE_URL is ${server}: install postgresql-client-${server} or newer.`,
    )
  return server
}

async function run(tool: Tool, args: readonly string[], url: string, signal: AbortSignal): Promise<void> {
  // the password by the environment: everybody on the machine sees the arguments of a process
  const [, before = url, password, after = ''] = /^(\w+:\/\/[^:@/]*):([^@/]*)(@.*)$/.exec(url) ?? []
  const env: Record<string, string> = password === undefined ? {} : { PGPASSWORD: decodeURIComponent(password) }
  await spawned(tool, [...args, `--dbname=${before}${after}`], env, signal)
}

function spawned(tool: Tool, args: readonly string[], env: Record<string, string>, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(tool, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'], signal })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (said += text))
    child.once('error', (error: NodeJS.ErrnoException) => {
      const missing = `${tool} is not installed here: install PostgreSQL's client tools, such as Debian's postgresql-client.`
      reject(error.code === 'ENOENT' ? new BackupRefusal(missing, { cause: error }) : signal.aborted ? (signal.reason as Error) : error)
    })
    child.once('close', (code) => (code === 0 ? resolve(said) : reject(new BackupRefusal(`${tool} failed: ${said.trim()}`))))
  })
}
