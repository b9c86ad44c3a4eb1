import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import type pg from 'pg'
import { BackupRefusal, copyTree, flush, insideArchive, inWords } from '#database/backup/archive.ts'
import { findBinaries } from '#database/embedded/binaries.ts'
import { insideFolder } from '#database/embedded/folder.ts'
import { findPostmaster } from '#database/embedded/postmaster.ts'
import { startPostgres } from '#database/embedded/postgres.ts'

// The embedded PostgreSQL, saved while it works: its files as they are at any moment between pg_backup_start and pg_backup_stop, and the
// write-ahead log of that time, which the first start replays. npm's package has no pg_basebackup; this does what it does.

/** As pg_basebackup: what a start makes again, and what belongs to the running process. The folders themselves stay. */
const leftOut =
  /^(?:postmaster\.(?:pid|opts)|pg_(?:wal|replslot|dynshmem|notify|serial|snapshots|stat_tmp|subtrans)\/.+|.*\/?pgsql_tmp.*|(?:.*\/)?pg_internal\.init.*)$/

type Saving = { client: pg.Client; dir: string; draft: string; signal: AbortSignal }
type Saved = { complete_until: string; postgres: number }

/** The session of `client` must last: a backup ends with it. */
export async function saveCluster({ client, dir, draft, signal }: Saving): Promise<Saved> {
  const { cluster, password } = insideFolder(dir)
  const to = insideArchive(draft)
  await copyFile(password, to.password)
  // keeps the log from being recycled; temporary, so that it goes with the session
  await client.query(`select pg_create_physical_replication_slot('backup_' || pg_backend_pid(), true, true)`)
  const first = await one<{ wal: string }>(client, `select pg_walfile_name(pg_backup_start('npm run backup', fast => true)) as wal`)
  await copyTree(cluster, to.cluster, { signal, skip: (name) => leftOut.test(name) })
  await copyControlFile(cluster, to.cluster)
  const { until, postgres } = await one<{ until: Date; postgres: number }>(
    client,
    `select clock_timestamp() as until, current_setting('server_version_num')::int / 10000 as postgres`,
  )
  const end = await one<{ last: string; label: string; tablespaces: string | null; size: number }>(
    client,
    `select pg_walfile_name(lsn) as last, labelfile as label, spcmapfile as tablespaces, pg_size_bytes(current_setting('wal_segment_size'))::float8 as size
     from pg_backup_stop(wait_for_archive => false)`,
  )
  if (end.tablespaces) throw new BackupRefusal('This database has tablespaces outside its folder, which this backup does not save.')
  await writeFile(path.join(to.cluster, 'backup_label'), end.label, { mode: 0o600 })
  await copyLog(cluster, to.cluster, { first: first.wal, last: end.last, perLogId: 2 ** 32 / end.size })
  return { complete_until: until.toISOString(), postgres }
}

/** It is written in place: a copy that two looks agree on is not a torn one. */
async function copyControlFile(cluster: string, to: string): Promise<void> {
  const file = path.join(cluster, 'global', 'pg_control')
  let content = await readFile(file)
  for (let again = await readFile(file); !again.equals(content); again = await readFile(file)) content = again
  await writeFile(path.join(to, 'global', 'pg_control'), content, { mode: 0o600 })
}

async function copyLog(cluster: string, to: string, { first, last, perLogId }: { first: string; last: string; perLogId: number }) {
  const from = path.join(cluster, 'pg_wal')
  const names = (await readdir(from)).filter((name) => /^[\dA-F]{24}$/.test(name) && name >= first && name <= last)
  const number = (name: string) => parseInt(name.slice(8, 16), 16) * perLogId + parseInt(name.slice(16), 16)
  if (names.length !== number(last) - number(first) + 1) throw new Error(`the write-ahead log from ${first} to ${last} is not all there`)
  const histories = (await readdir(from)).filter((name) => name.endsWith('.history'))
  for (const name of [...names, ...histories]) await copyFile(path.join(from, name), path.join(to, 'pg_wal', name))
}

async function one<Row extends pg.QueryResultRow>(client: pg.Client, text: string): Promise<Row> {
  return (await client.query<Row>(text)).rows[0] as Row
}

/** Refuses a folder that has a database, or a server on it. */
export function refuseTakenFolder(dir: string): void {
  if (findPostmaster(dir)) throw new BackupRefusal(`A server is running on ${dir}. Stop it, or choose another folder by DATA_DIR.`)
  if (existsSync(dir)) throw new BackupRefusal(`${dir} has a database already. Move it away, or choose another folder by DATA_DIR.`)
}

/** Puts a saved cluster into a folder that has none. The log is replayed before it gets its name: what does not start is not kept. */
export async function restoreCluster({ archive, dir, signal }: { archive: string; dir: string; signal: AbortSignal }): Promise<void> {
  refuseTakenFolder(dir)
  const from = insideArchive(archive)
  await refuseOtherVersion(from.cluster)
  // the name of a cluster that is being made: the next start removes one that was left behind
  const draft = `${dir}.making-${process.pid}`
  try {
    await mkdir(path.dirname(dir), { recursive: true })
    await mkdir(draft)
    await chmod(draft, 0o711)
    await copyTree(from.cluster, insideFolder(draft).cluster, { signal })
    await copyFile(from.password, insideFolder(draft).password)
    await flush(draft)
    const server = await startPostgres({ dir: draft, withinMs: REPLAY_WITHIN_MS })
    await server.stop()
    signal.throwIfAborted()
    await rename(draft, dir)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw inWords(error, dir)
  }
}

// as much log as the backup took time to write
const REPLAY_WITHIN_MS = 6 * 3_600_000

async function refuseOtherVersion(cluster: string): Promise<void> {
  const saved = (await readFile(path.join(cluster, 'PG_VERSION'), 'utf8')).trim()
  const { stdout } = await promisify(execFile)(findBinaries().postgres, ['--version'])
  const ours = /(\d+)\./.exec(stdout)?.[1]
  if (saved !== ours)
    throw new BackupRefusal(
      `This backup is of PostgreSQL ${saved}, and this release has ${ours}: restore it with the release that made it.`,
    )
}
