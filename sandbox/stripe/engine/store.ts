import { randomBytes } from 'node:crypto'
import type { ClientBase } from 'pg'
import { missing } from '#sandbox/stripe/http/errors.ts'
import type { Kinds, Shown } from '#sandbox/stripe/engine/kinds.ts'

export type Where = Record<string, unknown>
export type PageOf = { where?: Where; limit: number; startingAfter?: string; endingBefore?: string; created?: CreatedRange }
export type CreatedRange = { gt?: number; gte?: number; lt?: number; lte?: number }

/** Documents of one account: the platform's own, or a connected account's when Stripe-Account names it. */
export type Store = {
  /** Seconds since 1970 by app_now(), read once the lock was held. */
  now: number
  account: string
  get: <Kind extends keyof Kinds>(kind: Kind, id: string) => Promise<Kinds[Kind] | undefined>
  /** As get, or Stripe's 404 (400 when the id came as a parameter). */
  need: <Kind extends keyof Kinds>(kind: Kind, id: string, param?: string) => Promise<Kinds[Kind]>
  /** Writes the document under its own id, new or changed. */
  put: <Kind extends keyof Kinds>(kind: Kind, doc: Kinds[Kind]) => Promise<Kinds[Kind]>
  remove: (kind: keyof Kinds, id: string) => Promise<void>
  /** All whose document contains these fields, oldest first. */
  find: <Kind extends keyof Kinds>(kind: Kind, where?: Where) => Promise<Kinds[Kind][]>
  /** The sum of a number in all whose document contains these fields. */
  sum: (kind: keyof Kinds, field: string, where: Where) => Promise<number>
  /** Newest first, as Stripe's lists are. */
  page: <Kind extends keyof Kinds>(kind: Kind, page: PageOf) => Promise<{ data: Kinds[Kind][]; has_more: boolean }>
  /** Any object that is shown to the outside, by its id alone: how an id is expanded. */
  anything: (id: string) => Promise<Shown[keyof Shown] | undefined>
  as: (account: string) => Store
}

export function openStore(client: ClientBase, now: number, account = ''): Store {
  const docs = async (sql: string, values: unknown[]) => (await client.query<{ doc: never }>(sql, values)).rows.map(({ doc }) => doc)

  const get: Store['get'] = async (kind, id) =>
    (await docs('select doc from stripe_sandbox.objects where kind = $1 and id = $2 and account = $3', [kind, id, account]))[0]

  return {
    now,
    account,
    get,
    need: async (kind, id, param) => (await get(kind, id)) ?? Promise.reject(missing(kind, id, param)),
    put: async (kind, doc) => {
      await client.query(
        `insert into stripe_sandbox.objects (kind, id, account, doc) values ($1, $2, $3, $4)
         on conflict (kind, id) do update set doc = excluded.doc`,
        [kind, doc.id, account, JSON.stringify(doc)],
      )
      return doc
    },
    remove: async (kind, id) => {
      await client.query('delete from stripe_sandbox.objects where kind = $1 and id = $2 and account = $3', [kind, id, account])
    },
    find: (kind, where = {}) =>
      docs('select doc from stripe_sandbox.objects where kind = $1 and account = $2 and doc @> $3 order by seq', [kind, account, where]),
    sum: async (kind, field, where) => {
      const { rows } = await client.query<{ sum: string }>(
        `select coalesce(sum((doc ->> $4)::bigint), 0) as sum from stripe_sandbox.objects where kind = $1 and account = $2 and doc @> $3`,
        [kind, account, where, field],
      )
      return Number(rows[0]?.sum)
    },
    page: async (kind, page) => {
      const { sql, values } = pageQuery(kind, account, page)
      const found = await docs(sql, values)
      const data = found.slice(0, page.limit)
      if (page.endingBefore) data.reverse()
      return { data, has_more: found.length > page.limit }
    },
    anything: async (id) => (await docs(`select doc from stripe_sandbox.objects where id = $1 and kind not like 'hidden.%'`, [id]))[0],
    as: (other) => openStore(client, now, other),
  }
}

/** An id in Stripe's look: `cus_` and 14 letters, `pi_` and 24. */
export function newId(prefix: string, length = 24): string {
  return `${prefix}_${letters(length)}`
}

/** The id of what may be expanded; '' when there is none. */
export const idOf = (one: string | { id: string } | null | undefined) => (typeof one === 'string' ? one : (one?.id ?? ''))

export function letters(length: number): string {
  return Array.from(randomBytes(length), (byte) => ALPHABET[byte % ALPHABET.length]).join('')
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

function pageQuery(kind: string, account: string, { where = {}, limit, startingAfter, endingBefore, created = {} }: PageOf) {
  const values: unknown[] = [kind, account, where]
  const add = (value: unknown) => `$${values.push(value)}`
  const seqOf = (id: string) => `(select seq from stripe_sandbox.objects where kind = $1 and id = ${add(id)})`
  const conditions = ['kind = $1', 'account = $2', 'doc @> $3']
  if (startingAfter) conditions.push(`seq < ${seqOf(startingAfter)}`)
  if (endingBefore) conditions.push(`seq > ${seqOf(endingBefore)}`)
  for (const [name, sign] of Object.entries(SIGNS)) {
    const bound = created[name as keyof CreatedRange]
    if (bound !== undefined) conditions.push(`(doc ->> 'created')::bigint ${sign} ${add(bound)}`)
  }
  const order = endingBefore ? 'asc' : 'desc'
  const sql = `select doc from stripe_sandbox.objects where ${conditions.join(' and ')} order by seq ${order} limit ${add(limit + 1)}`
  return { sql, values }
}

const SIGNS = { gt: '>', gte: '>=', lt: '<', lte: '<=' }
