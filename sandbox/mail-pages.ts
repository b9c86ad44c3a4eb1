import type { FastifyInstance } from 'fastify'
import { inLondon } from '#domain/format-time.ts'
import type { Outbox, SentMail } from '#sandbox/mail-outbox.ts'
import { escapeHtml } from '#server/providers/letter.ts'

// The outbox as a mail program shows it: a list, and a mail with its designed part in a frame of its own and its text part.

const LISTED = 50

/** GET /sandbox/mail in a browser; /sandbox/mail.json?to= for tests and scripts. */
export function outboxPages(app: FastifyInstance, outbox: Outbox): void {
  const open = { config: { access: 'anyone' as const }, schema: { hide: true } }

  app.get('/sandbox', open, (_request, reply) => reply.redirect('/sandbox/mail'))

  app.get<{ Querystring: { to?: string | string[] } }>('/sandbox/mail.json', open, async ({ query: { to } }) => ({
    data: await outbox.list(one(to)),
  }))

  app.get<{ Querystring: { to?: string | string[] } }>('/sandbox/mail', open, async ({ query }, reply) => {
    const to = one(query.to)
    const mails = (await outbox.list(to)).slice(0, LISTED)
    return reply.type('text/html; charset=utf-8').send(page('Sandbox mail', listOf(mails, to)))
  })

  app.get<{ Params: { id: string } }>('/sandbox/mail/:id', open, async ({ params }, reply) => {
    const mail = await outbox.find(params.id)
    if (!mail)
      return reply.code(404).type('text/html; charset=utf-8').send(page('No such mail', '<p><a href="/sandbox/mail">All mail</a></p>'))
    return reply.type('text/html; charset=utf-8').send(page(mail.subject, mailOf(mail)))
  })

  app.get<{ Params: { id: string } }>('/sandbox/mail/:id/html', open, async ({ params }, reply) => {
    const mail = await outbox.find(params.id)
    return reply
      .code(mail ? 200 : 404)
      .type('text/html; charset=utf-8')
      .headers(inFrame)
      .send((mail?.html ?? '').replace('<head>', '<head><base target="_blank">'))
  })

  app.get('/sandbox/mail.css', open, (_request, reply) => reply.type('text/css; charset=utf-8').send(css))
}

const one = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value)

// a mail may hold anything: styles of its own, no script, no form, and nothing is fetched
const inFrame = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'self'; sandbox allow-popups",
  'x-frame-options': 'SAMEORIGIN',
}

const sentAt = inLondon({ dateStyle: 'short', timeStyle: 'medium' })
const timeOf = ({ sent_at }: SentMail) => `<time datetime="${sent_at}">${sentAt.format(new Date(sent_at))}</time>`

function listOf(mails: readonly SentMail[], to: string | undefined): string {
  const search = `<form class="search"><label>To <input type="email" name="to" value="${escapeHtml(to ?? '')}" placeholder="buyer@yardbid.test"></label><button>Show</button></form>`
  const rows = mails.map(
    (mail) =>
      `<li><a href="/sandbox/mail/${mail.id}"><strong>${escapeHtml(mail.subject)}</strong><span>To ${escapeHtml(mail.to)} · ${timeOf(mail)}</span><span class="preview">${escapeHtml(mail.text.replace(/\s+/g, ' ').slice(0, 160))}</span></a></li>`,
  )
  const none = '<p>No email has been sent yet. Sign up, or ask for a new password, and look again.</p>'
  return `<h1>Sandbox mail</h1><p>What Yardbid would have sent, newest first. Nothing leaves this machine.</p>${search}${rows.length > 0 ? `<ul>${rows.join('')}</ul>` : none}`
}

const mailOf = (mail: SentMail) => `<p><a href="/sandbox/mail">All mail</a></p>
<h1>${escapeHtml(mail.subject)}</h1>
<p class="to">To ${escapeHtml(mail.to)} · ${timeOf(mail)}</p>
${mail.headers?.['List-Unsubscribe'] ? `<p class="to">List-Unsubscribe: ${linked(escapeHtml(mail.headers['List-Unsubscribe']))}</p>` : ''}
<h2>As designed</h2>
<iframe sandbox="allow-popups" src="/sandbox/mail/${mail.id}/html" title="The designed part"></iframe>
<h2>As text</h2>
<pre>${linked(escapeHtml(mail.text))}</pre>`

// in escaped text: up to a space, or a sign that closes what the address stands in
const linked = (text: string) => text.replace(/https?:\/\/(?:(?!&(?:gt|quot|#39);)[^\s<])+/g, (url) => `<a href="${url}">${url}</a>`)

const page = (title: string, content: string) => `<!doctype html>
<html lang="en-GB"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escapeHtml(title)} · Sandbox mail</title><link rel="stylesheet" href="/sandbox/mail.css"></head>
<body><main>${content}</main></body></html>`

const css = `:root{color-scheme:light dark;--line:color-mix(in srgb,CanvasText 20%,transparent)}
*{box-sizing:border-box}
body{font:16px/1.5 system-ui,sans-serif;margin:0;background:Canvas;color:CanvasText}
main{max-width:44rem;margin:0 auto;padding:1.5rem 1rem}
h1{font-size:1.25rem;margin:0;overflow-wrap:anywhere}h2{font-size:.875rem;margin:1.5rem 0 .5rem}
ul{list-style:none;margin:1rem 0 0;padding:0}
li a{display:grid;gap:.125rem;padding:.75rem 0;border-top:1px solid var(--line);color:inherit;text-decoration:none;overflow-wrap:anywhere}
li a:hover strong,li a:focus-visible strong{text-decoration:underline}
li span{font-size:.875rem}.preview{opacity:.75;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
.search{display:flex;gap:.5rem;align-items:end;flex-wrap:wrap}.search label{flex:1 1 12rem;display:grid}
.search input,.search button{font:inherit;min-height:44px;padding:0 .75rem}
.to{margin:0;font-size:.875rem;overflow-wrap:anywhere}
iframe{width:100%;height:44rem;border:1px solid var(--line);border-radius:6px;background:Canvas}
pre{white-space:pre-wrap;overflow-wrap:anywhere;font:14px/1.5 ui-monospace,monospace;border:1px solid var(--line);border-radius:6px;padding:1rem;margin:0}`
