import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { sql } from 'kysely'
import { kinds } from '#domain/notifications/kinds.ts'
import type { Db } from '#server/db/db.ts'
import type { UnsubscribeTokens } from '#server/features/notifications/unsubscribe.ts'
import { notFound } from '#server/http/errors.ts'
import { escapeHtml } from '#server/providers/letter.ts'

// RFC 8058: a mail program posts to the address of the header List-Unsubscribe, without cookie or CSRF token. A GET, which scanners of
// links make too, shows a page with a button and changes nothing.

const PATH = '/api/v1/unsubscribe/:token'
const MOST_BYTES = 1_024

export async function unsubscribeRoutes(app: FastifyInstance, { db, tokens }: { db: Db; tokens: UnsubscribeTokens }): Promise<void> {
  const open = { config: { access: 'anyone' as const, csrf: false as const, session: false as const }, schema: { hide: true } }

  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    // the body says List-Unsubscribe=One-Click, as a form of either kind; the address says everything that is needed
    for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data'])
      scope.addContentTypeParser(type, { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

    scope.get<{ Params: { token: string } }>(PATH, open, async ({ params }, reply) => {
      const { label } = kinds[known(params.token).kind]
      const button = '<form method="post"><button name="List-Unsubscribe" value="One-Click">Stop these emails</button></form>'
      return show(reply, `No more emails about “${label}”?`, 'Everything else stays as it is.', button)
    })

    scope.post<{ Params: { token: string } }>(PATH, { ...open, bodyLimit: MOST_BYTES }, async ({ params }, reply) => {
      const { userId, kind } = known(params.token)
      await sql`
        insert into notification_settings as s (user_id, kinds)
        select id, jsonb_build_object(${kind}::text, '{"email":false}'::jsonb) from users where id = ${userId} and erased_at is null
        on conflict (user_id) do update
        set kinds = s.kinds || jsonb_build_object(${kind}::text, coalesce(s.kinds -> ${kind}, '{}') || '{"email":false}')`.execute(db)
      return show(
        reply,
        `You get no more emails about “${kinds[kind].label}”`,
        'You can switch them on again in your notification settings.',
      )
    })
  })

  function known(token: string) {
    const read = tokens.read(token)
    if (!read || kinds[read.kind].locked?.includes('email')) throw notFound()
    return read
  }
}

const css = `:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;margin:0;background:Canvas;color:CanvasText}
main{max-width:36rem;margin:0 auto;padding:3rem 1rem}
h1{font-size:1.25rem;overflow-wrap:anywhere}
button{font:inherit;font-weight:600;min-height:44px;padding:0 20px;border:0;border-radius:6px;background:#8f4a1c;color:#fff;cursor:pointer}`

const policy = `default-src 'none'; style-src 'sha256-${hash('sha256', css, 'base64')}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`

const show = (reply: FastifyReply, title: string, says: string, more?: string) =>
  reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', policy)
    .send(page(title, says, more))

const page = (title: string, says: string, more = '') => `<!doctype html>
<html lang="en-GB"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${escapeHtml(title)} · Yardbid</title><style>${css}</style></head>
<body><main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(says)}</p>${more}<p><a href="/account/notification-preferences">Notification settings</a></p></main></body></html>`
