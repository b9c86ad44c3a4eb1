import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, lchown, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Binaries } from '#database/embedded/binaries.ts'
import { isAlive } from '#database/embedded/process.ts'
import { cleanEnvironment, commandLine, type Way } from '#database/embedded/ways.ts'

export const OWNER_ROLE = 'yardbid'

/** One folder, made in one rename: a cluster never exists without its password. */
export const insideFolder = (dir: string) => ({
  cluster: join(dir, 'cluster'),
  password: join(dir, 'password'),
  log: join(dir, 'postgres.log'),
  pidFile: join(dir, 'cluster', 'postmaster.pid'),
})

export type Making = { dir: string; binaries: Binaries; way: Way; fast: boolean }

export async function makeFolderOnce({ dir, binaries, way, fast }: Making): Promise<void> {
  await removeLeftovers(dir)
  if (existsSync(insideFolder(dir).cluster)) return
  const draft = `${dir}${DRAFT}${process.pid}`
  await mkdir(draft)
  await chmod(draft, 0o711) // the server's uid passes through, nobody lists it
  await makeCluster(draft, { dir, binaries, way, fast })
  try {
    await rename(draft, dir)
  } catch (error) {
    // a second process that started at the same moment was quicker: its cluster is as good
    await rm(draft, { recursive: true, force: true })
    if (!existsSync(insideFolder(dir).cluster)) throw error
  }
}

/** Namespace and uid keep the files under different owners: what the last start left may be the other's. */
export async function giveFolderTo(way: Way, dir: string): Promise<void> {
  const { cluster } = insideFolder(dir)
  const { uid } = await stat(cluster)
  if (way.owner === undefined) {
    const me = process.getuid?.() ?? uid
    if (uid === me) return
    throw anothers(dir)
  }
  if (uid === way.owner) return
  for (const entry of await readdir(cluster, { recursive: true })) await lchown(join(cluster, entry), way.owner, way.owner)
  await lchown(cluster, way.owner, way.owner) // last: a chown that was cut short is done again
}

export async function readPassword(dir: string): Promise<string> {
  try {
    return (await readFile(insideFolder(dir).password, 'utf8')).trim()
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EACCES' ? anothers(dir) : error
  }
}

const anothers = (dir: string) =>
  new Error(
    `${dir} was last used by another user of this machine. Start Yardbid as that user, choose another DATA_DIR, or take it over with chown -R.`,
  )

const DRAFT = '.making-'

// nothing of the machine's locale: the same order of words everywhere, and UTF-8 where LANG is not set
const localeOptions = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']

async function makeCluster(draft: string, { dir, binaries, way, fast }: Making): Promise<void> {
  const { cluster, password } = insideFolder(draft)
  await mkdir(cluster, { mode: 0o700 })
  await writeFile(password, randomBytes(24).toString('base64url'), { mode: 0o600, flush: true })
  for (const path of [cluster, password]) if (way.owner !== undefined) await lchown(path, way.owner, way.owner)

  const [command, args] = commandLine(way, binaries.initdb, [
    `--pgdata=${cluster}`,
    `--username=${OWNER_ROLE}`,
    `--pwfile=${password}`,
    '--auth=scram-sha-256',
    ...localeOptions,
    ...(fast ? ['--no-sync'] : []),
  ])
  try {
    await promisify(execFile)(command, args, { env: cleanEnvironment() })
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    const said = (error as { stderr?: string }).stderr?.trim() || (error as Error).message
    throw new Error(`PostgreSQL could not make its data folder ${dir}: ${said}`, { cause: error })
  }
  const me = process.getuid?.()
  if (me !== undefined) await lchown(password, me, process.getgid?.() ?? me)
}

async function removeLeftovers(dir: string): Promise<void> {
  const parent = dirname(dir)
  await mkdir(parent, { recursive: true })
  const prefix = basename(dir) + DRAFT
  for (const name of await readdir(parent)) {
    if (!name.startsWith(prefix) || isMakerAtWork(Number(name.slice(prefix.length)))) continue
    await rm(join(parent, name), { recursive: true, force: true, maxRetries: 5 })
  }
}

const isMakerAtWork = (pid: number) => pid !== process.pid && isAlive(pid)
