import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FileStore, Stored, UploadTerms } from '#server/providers/files.ts'

export const UPLOAD_PATH = '/files/upload/'

/** Files in a folder. What S3's signatures promise holds here too: the address fits one key, type, length and time. */
export function diskStore({ folder, secret }: { folder: string; secret: string }): FileStore {
  // a key of its own: what signs CSRF tokens signs nothing else
  const signingKey = createHmac('sha256', secret).update('uploads').digest()

  const sign = (key: string, { contentType, size, expiresAt }: UploadTerms) =>
    createHmac('sha256', signingKey)
      .update(JSON.stringify([key, contentType, size, expiresAt.getTime()]))
      .digest()

  /** False when another writes this draft at the moment. */
  async function inDraft(name: string, content: Readable, size: number, keep: (draft: string) => Promise<boolean>): Promise<boolean> {
    const draft = path.join(folder, 'partial', name)
    await mkdir(path.dirname(draft), { recursive: true, mode: 0o700 })
    const file = await open(draft, 'wx', 0o600).catch(unlessTaken)
    if (!file) return false
    try {
      // flush: what we say is stored survives a power cut
      await pipeline(content, exactly(size), file.createWriteStream({ flush: true }))
      return await keep(draft)
    } finally {
      await rm(draft, { force: true })
    }
  }

  async function placeFor(key: string): Promise<string> {
    const file = fileOf(folder, key)
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
    return file
  }

  return {
    origin: null,
    signedGet: null,
    async signedPut(key, terms) {
      const query = new URLSearchParams({
        expires: String(terms.expiresAt.getTime()),
        signature: sign(key, terms).toString('base64url'),
      })
      return `${UPLOAD_PATH}${key}?${query.toString()}`
    },
    head: (key) => stat(fileOf(folder, key)).then(({ size }) => ({ size }), unlessMissing),
    read: async (key, range) => createReadStream(fileOf(folder, key), range),
    write: (key, content, { size }) =>
      inDraft(randomUUID(), Buffer.isBuffer(content) ? Readable.from([content]) : content, size, async (draft) => {
        await rename(draft, await placeFor(key))
        return true
      }).then(() => undefined),
    async remove(key) {
      const file = fileOf(folder, key)
      await rm(file, { force: true })
      await removeEmptyFolders(path.dirname(file), folder)
    },
    list: (after, most) => filesAfter(folder, after.split('/'), most),
    direct: {
      isSigned(key, terms, signature) {
        const given = Buffer.from(signature, 'base64url')
        const expected = sign(key, terms)
        return given.length === expected.length && timingSafeEqual(given, expected)
      },
      // One draft per address: of many that send at once, in whichever process, one takes up space. A draft that a killed process
      // left behind closes its address, which lives for minutes, and is swept. Linked and not renamed: the first one stays.
      take: (key, content, size) =>
        inDraft(path.basename(key), content, size, async (draft) => link(draft, await placeFor(key)).then(() => true, unlessTaken)),
    },
  }
}

function fileOf(folder: string, key: string): string {
  if (!/^[\w-]+(?:\/[\w-][\w.-]*)*$/.test(key)) throw new Error(`not a key of ours: ${key}`)
  return path.join(folder, key)
}

/** Fails on the first byte too many, and at the end on any that are missing. */
function exactly(size: number): Transform {
  let seen = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      seen += chunk.length
      done(seen > size ? new Error(`more than the ${size} bytes announced`) : null, chunk)
    },
    flush: (done) => done(seen === size ? null : new Error(`${seen} of ${size} bytes came`)),
  })
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? ''

function unlessMissing(error: unknown): undefined {
  if (!['ENOENT', 'ENOTDIR'].includes(codeOf(error))) throw error
}

function unlessTaken(error: unknown): false {
  if (codeOf(error) !== 'EEXIST') throw error
  return false
}

async function removeEmptyFolders(from: string, upTo: string): Promise<void> {
  for (let at = from; at.startsWith(upTo + path.sep); at = path.dirname(at)) {
    // the folder may be gone, or in use again: both are fine
    const left = await readdir(at).catch(() => ['?'])
    if (left.length > 0) return
    await rm(at, { recursive: false, force: true }).catch(() => undefined)
  }
}

/** Depth first, names in order; whole folders before `after` are not opened. */
async function filesAfter(folder: string, after: string[], most: number, key = ''): Promise<Stored[]> {
  const [from = '', ...deeper] = after
  const found: Stored[] = []
  const entries = (await readdir(folder, { withFileTypes: true }).catch(unlessMissing)) ?? []
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (found.length >= most) break
    const isOnTheWay = entry.name === from && deeper.length > 0
    if (entry.name < from || (entry.name === from && !isOnTheWay)) continue
    const inside = path.join(folder, entry.name)
    if (entry.isDirectory()) {
      found.push(...(await filesAfter(inside, isOnTheWay ? deeper : [], most - found.length, `${key}${entry.name}/`)))
    } else {
      const modifiedAt = await stat(inside).then(({ mtime }) => mtime, unlessMissing)
      if (modifiedAt) found.push({ key: key + entry.name, modifiedAt })
    }
  }
  return found
}
