import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { hash, randomUUID } from 'node:crypto'
import type { Mail, Mailer } from '#server/providers/mail.ts'

// Where the sandbox's e-mails go: files in the data folder, shown at /sandbox/mail. Not a table: mails hold links that log
// people in, and no table may.

export type SentMail = Mail & { id: string; sent_at: string }

export type Outbox = Mailer & { list(to?: string): Promise<SentMail[]>; find(id: string): Promise<SentMail | undefined> }

/** In the name of the file: whose mails are looked for are found without opening everybody else's. */
const markOf = (address: string) => hash('sha256', address.toLowerCase()).slice(0, 8)

export function mailOutbox(dataDir: string): Outbox {
  const folder = path.join(dataDir, 'outbox')
  return {
    async send(mail) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const sent_at = new Date().toISOString()
      const id = `${sent_at.replace(/\D/g, '')}-${randomUUID().slice(0, 8)}-${markOf(mail.to)}`
      const unfinished = path.join(folder, `${id}.part`)
      await writeFile(unfinished, JSON.stringify({ ...mail, id, sent_at }), { mode: 0o600 })
      await rename(unfinished, path.join(folder, `${id}.json`))
    },
    async find(id) {
      if (!/^[\w-]{1,80}$/.test(id)) return undefined
      const text = await readFile(path.join(folder, `${id}.json`), 'utf8').catch(() => undefined)
      return text === undefined ? undefined : (JSON.parse(text) as SentMail)
    },
    async list(to) {
      const names = (await readdir(folder).catch(() => []))
        .filter((name) => name.endsWith(to ? `-${markOf(to)}.json` : '.json'))
        .sort()
        .reverse()
        .slice(0, 200)
      const mails = await Promise.all(names.map(async (name) => JSON.parse(await readFile(path.join(folder, name), 'utf8')) as SentMail))
      return to ? mails.filter((mail) => mail.to.toLowerCase() === to.toLowerCase()) : mails
    },
  }
}
