import { execFile } from 'node:child_process'
import { constants, existsSync } from 'node:fs'
import { copyFile, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { isAlive } from '#database/embedded/process.ts'

// A backup is a folder: a manifest, the database, the uploads and the secret of the data folder. It is written under another name and
// renamed when all of it is on the disk, so that what has its final name is whole.

export type Manifest = {
  format: 1
  began_at: string
  /** Everything that was committed before this moment is in it. */
  complete_until: string
  database: { kind: 'cluster' | 'dump'; postgres: number }
  files: number
  bytes: number
}

type Contents = Pick<Manifest, 'began_at' | 'complete_until' | 'database'>

/** What somebody can put right: shown as one sentence, without a stack. */
export class BackupRefusal extends Error {}

/** Aborted by Ctrl-C and its like, so that what was begun can be cleaned up. */
export function interruption(says: string): AbortSignal {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => controller.abort(new BackupRefusal(says)))
  return controller.signal
}

export const insideArchive = (folder: string) => ({
  manifest: path.join(folder, 'manifest.json'),
  cluster: path.join(folder, 'cluster'),
  password: path.join(folder, 'password'),
  dump: path.join(folder, 'database.dump'),
  uploads: path.join(folder, 'files'),
  secret: path.join(folder, 'session-secret'),
})

const DRAFT = '.partial-'

/** Keeps what `fill` puts into a folder, all of it or nothing. */
export async function writeArchive(target: string, signal: AbortSignal, fill: (draft: string) => Promise<Contents>): Promise<Manifest> {
  const folder = path.resolve(target)
  if (existsSync(folder)) throw new BackupRefusal(`${folder} exists already. Name a folder that does not.`)
  const draft = `${folder}${DRAFT}${process.pid}`
  try {
    await mkdir(path.dirname(folder), { recursive: true })
    await removeLeftovers(folder)
    await mkdir(draft, { mode: 0o700 })
    const contents = await fill(draft)
    const manifest: Manifest = { format: 1, ...contents, ...(await measure(draft)) }
    await writeFile(insideArchive(draft).manifest, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 })
    await flush(draft)
    signal.throwIfAborted()
    await rename(draft, folder)
    return manifest
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw inWords(error, folder)
  }
}

/** Refuses a folder that is not a complete backup. */
export async function readManifest(folder: string): Promise<Manifest> {
  const file = insideArchive(folder).manifest
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new BackupRefusal(`${folder} is no backup: it has no manifest.json.`, { cause })
  })
  const manifest = JSON.parse(text) as Manifest
  if (manifest.format !== 1) throw new BackupRefusal(`${folder} was made by a newer release: restore it with that one.`)
  const found = await measure(folder)
  const own = (await stat(file)).size
  if (found.files - 1 !== manifest.files || found.bytes - own !== manifest.bytes)
    throw new BackupRefusal(
      `${folder} is not whole: ${manifest.files} files with ${manifest.bytes} bytes were saved, ${found.files - 1} with ${found.bytes - own} are there.`,
    )
  return manifest
}

type Copying = {
  signal: AbortSignal
  /** By the path below `from`. */
  skip?: (name: string) => boolean
  /** Copies only what is missing or has changed since. */
  isSecondPass?: boolean
}

/** Copies a folder that is in use. Files that are removed during the copy are left out. */
export async function copyTree(from: string, to: string, copying: Copying, below = ''): Promise<void> {
  const { signal, skip = () => false, isSecondPass = false } = copying
  const entries = (await readdir(from, { withFileTypes: true }).catch(unlessMissing)) ?? []
  await mkdir(to, { recursive: true, mode: 0o700 })
  for (const entry of entries) {
    signal.throwIfAborted()
    const name = path.join(below, entry.name)
    if (skip(name)) continue
    const source = path.join(from, entry.name)
    const target = path.join(to, entry.name)
    if (entry.isDirectory()) await copyTree(source, target, copying, name)
    else if (entry.isFile() && !(isSecondPass && (await isSame(source, target))))
      await copyFile(source, target, constants.COPYFILE_FICLONE).catch(unlessMissing)
  }
}

async function isSame(source: string, target: string): Promise<boolean> {
  const [now, copied] = await Promise.all([source, target].map((file) => stat(file).catch(unlessMissing)))
  return now !== undefined && copied !== undefined && now.size === copied.size && now.mtimeMs <= copied.mtimeMs
}

export function unlessMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
}

/** A full disk and its like in a sentence that says where. */
export function inWords(error: unknown, folder: string): unknown {
  const why: Record<string, string> = {
    ENOSPC: 'the disk is full',
    EDQUOT: 'the quota of this user is used up',
    EFBIG: 'a file would be larger than this user may write',
    EACCES: 'this user may not write there',
    EROFS: 'the disk is read-only',
    EIO: 'the disk reports an error',
  }
  const said = why[(error as NodeJS.ErrnoException).code ?? '']
  return said ? new BackupRefusal(`${folder} could not be written: ${said}. Nothing was kept there.`, { cause: error }) : error
}

async function measure(folder: string): Promise<{ files: number; bytes: number }> {
  const sum = { files: 0, bytes: 0 }
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    sum.files++
    sum.bytes += (await stat(path.join(entry.parentPath, entry.name))).size
  }
  return sum
}

/** To the disk: one call for the whole file system where there is one, file by file elsewhere. */
export async function flush(folder: string): Promise<void> {
  const isDone = await promisify(execFile)('sync', ['-f', folder]).then(
    () => true,
    () => false,
  )
  if (isDone) return
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = await open(path.join(entry.parentPath, entry.name), 'r')
    await file.sync().finally(() => file.close())
  }
}

async function removeLeftovers(folder: string): Promise<void> {
  const prefix = path.basename(folder) + DRAFT
  for (const name of await readdir(path.dirname(folder)))
    if (name.startsWith(prefix) && !isAlive(Number(name.slice(prefix.length))))
      await rm(path.join(path.dirname(folder), name), { recursive: true, force: true })
}
