import type { FastifyInstance, FastifyRequest } from 'fastify'
import type pg from 'pg'
import { writeAudit, type AuditEntry, type AuditPlace } from '#server/db/audit.ts'
import { rowsOf, rowsOn, type Db, type DbOrTx, type ReadRows } from '#server/db/db.ts'
import type { SessionUser } from '#server/http/session.ts'
import { isUuid } from '#server/http/uuid.ts'
import { traceOf, type Viewer } from '#server/http/viewer.ts'

// Every call of the back office that is answered leaves an entry. A look is written here, before the answer leaves; an act by its
// feature, in its own transaction.

type ActEntry = Omit<AuditEntry, 'kind' | 'act'> & { act?: string }

/** What a call of the back office writes its entry with. */
export type Audit = {
  by: SessionUser
  /** In the transaction of an act; see `writeAudit` for when. */
  write(tx: DbOrTx, entry?: ActEntry): Promise<void>
  /** The same, where that transaction is a connection's own. */
  writeOn(client: pg.ClientBase, entry?: ActEntry): Promise<void>
  /** The user whom a look is about, where the address of the call does not say. */
  isAbout(userId: string): void
  /** The act was done by an earlier request with the same idempotency key: this one only looks at it. */
  isReplay(): void
}

type RequestAudit = Audit & { about: string | undefined; replays: boolean; places: AuditPlace[] }

/** Undefined for a visitor, whom no call of the back office lets in. */
export function auditOf(request: FastifyRequest, { user: by }: Viewer): RequestAudit | undefined {
  if (!by) return undefined
  const audit: RequestAudit = {
    by,
    about: undefined,
    replays: false,
    places: [],
    write: (tx, entry) => add(rowsOf(tx), entry),
    writeOn: (client, entry) => add(rowsOn(client), entry),
    isAbout: (userId) => void (audit.about = userId),
    isReplay: () => void (audit.replays = true),
  }
  const add = async (rows: ReadRows, entry: ActEntry = {}) => {
    const { audit: act = 'unnamed' } = request.routeOptions.config
    audit.places.push(await writeAudit(rows, by, { kind: 'act', act, ...entry }))
  }
  return audit
}

/** Sees to it that every answered call of a route with `audit` has its entry, and that its hash is in the log too. */
export function auditCalls(app: FastifyInstance, db: Db): void {
  app.decorateRequest('audit')
  app.addHook('onSend', async (request, reply) => {
    const { audit: act } = request.routeOptions.config
    if (!act || !request.audit || reply.statusCode >= 400) return
    const { audit } = request
    if (audit.places.length === 0) {
      const kind = looks.has(request.method) || audit.replays ? 'look' : 'act'
      if (kind === 'act') request.log.error({ ...traceOf(request), event: 'audit_late', act }, 'an act was not written down with its deed')
      const { schema } = request.routeOptions
      // what no schema has looked at may hold anything
      const params = (schema?.params ? request.params : {}) as Record<string, string>
      const query = (schema?.querystring ? request.query : {}) as object
      const about = audit.about ?? userIn(request.routeOptions.url, params)
      audit.places.push(await writeAudit(rowsOf(db), audit.by, { kind, act, about, details: { ...params, ...query } }))
    }
    for (const { id, hash } of audit.places) request.log.info({ ...traceOf(request), event: 'audit', act, entry: id, hash }, 'audited')
  })
}

const looks = new Set(['GET', 'HEAD'])

const userIn = (url: string | undefined, { id }: Record<string, string>) =>
  url?.includes('/users/:id') && id !== undefined && isUuid(id) ? id : undefined

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on calls of the back office. */
    audit?: RequestAudit | undefined
  }
}
