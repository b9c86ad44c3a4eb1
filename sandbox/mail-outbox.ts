import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { hash, randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { inLondon } from '#domain/format.ts'
import { escapeHtml } from '#server/providers/letter.ts'
import type { Mail, Mailer } from '#server/providers/mail.ts'

// Where the sandbox's e-mails go: files in the data folder, shown at /sandbox/mail. Not a table: mails hold links that log
// people in, and no table may.

export type SentMail = Mail & { id: string; sent_at: string }

export type Outbox = Mailer & { list(to?: string): Promise<SentMail[]> }

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

/** GET /sandbox/mail in a browser; /sandbox/mail.json?to= for tests and scripts. */
export function outboxPages(app: FastifyInstance, outbox: Outbox): void {
  const open = { config: { access: 'anyone' as const }, schema: { hide: true } }

  app.get('/sandbox', open, (_request, reply) => reply.redirect('/sandbox/mail'))

  app.get<{ Querystring: { to?: string | string[] } }>('/sandbox/mail.json', open, async ({ query: { to } }) => ({
    data: await outbox.list(Array.isArray(to) ? to[0] : to),
  }))

  app.get('/sandbox/mail', open, async (_request, reply) => {
    const mails = await outbox.list()
    return reply
      .type('text/html; charset=utf-8')
      .send(page(mails.map(entry).join('') || '<p>No email has been sent yet. Sign up, or ask for a new password, and look again.</p>'))
  })

  app.get('/sandbox/mail.css', open, (_request, reply) => reply.type('text/css; charset=utf-8').send(css))
}

const sentAt = inLondon({ dateStyle: 'short', timeStyle: 'medium' })

const entry = (mail: SentMail) => `<article>
<h2>${escapeHtml(mail.subject)}</h2>
<p class="to">To ${escapeHtml(mail.to)} · <time datetime="${mail.sent_at}">${sentAt.format(new Date(mail.sent_at))}</time></p>
<pre>${linked(escapeHtml(mail.text))}</pre>
</article>`

const linked = (text: string) => text.replace(/https?:\/\/[^\s<]+/g, (url) => `<a href="${url}">${url}</a>`)

const page = (content: string) => `<!doctype html>
<html lang="en-GB"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>Sandbox mail · Yardbid</title><link rel="stylesheet" href="/sandbox/mail.css"></head>
<body><main><h1>Sandbox mail</h1><p>What Yardbid would have sent, newest first. Nothing leaves this machine.</p>${content}</main></body></html>`

const css = `:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;margin:0;background:Canvas;color:CanvasText}
main{max-width:44rem;margin:0 auto;padding:1.5rem 1rem}
h1{font-size:1.75rem;margin:0}h2{font-size:1.25rem;margin:0}
article{border-top:1px solid color-mix(in srgb,CanvasText 25%,transparent);padding:1rem 0}
.to{margin:0;font-size:.875rem}
pre{white-space:pre-wrap;overflow-wrap:anywhere;font:inherit}`
