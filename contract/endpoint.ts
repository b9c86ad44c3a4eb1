import type { z } from 'zod'
import type { Permission, Role } from '#contract/values/permissions.ts'

/** Who is calling, as far as a route cares. */
export const callers = ['visitor', 'member', 'temporary_password', 'unenrolled', 'deleted'] as const
export type Caller = (typeof callers)[number]

/**
 * Who may call an endpoint. A user with a temporary password may only change it, one who needs a second factor and has none may only
 * enrol, a deleted one only restore the account. The back office: `staff` is for members with a role, `admin` for admins alone. Neither is there (404) for anybody without a
 * role; `support` gets 403 where only an admin may act.
 */
export const callersAllowed = {
  anyone: ['visitor', 'member', 'temporary_password', 'unenrolled', 'deleted'],
  signed_in: ['member', 'temporary_password', 'unenrolled', 'deleted'],
  password_changer: ['member', 'temporary_password'],
  enrolling: ['member', 'unenrolled'],
  deleted: ['deleted'],
  member: ['member'],
  staff: ['member'],
  admin: ['member'],
} as const satisfies Record<string, readonly Caller[]>

export type Access = keyof typeof callersAllowed

export const rolesAllowed: Partial<Record<Access, readonly Role[]>> = { staff: ['support', 'admin'], admin: ['admin'] }

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type EndpointKey = `${Method} /${string}`

type BackOfficeAccess = 'staff' | 'admin'

/** Each call of the back office leaves an entry in the audit log, under the name that it declares as `audit`. */
type EndpointAccess =
  | { access: Exclude<Access, BackOfficeAccess>; audit?: undefined; moves_money?: undefined }
  | { access: 'staff'; audit: string; moves_money?: undefined }
  /** `moves_money`: the password was given a moment ago, the call has an idempotency key, and its body a reason. */
  | { access: 'admin'; audit: string; moves_money?: true }

export type Endpoint = EndpointAccess & {
  summary: string
  permission?: Permission
  /** False where the answer is the same for everybody and must not wait for the database: the session is not looked up. */
  session?: false
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  /** status → reply; null is an empty reply. */
  replies: Partial<Record<200 | 201 | 204, z.ZodType | null>>
}

export type Endpoints = Record<EndpointKey, Endpoint>

/** Endpoints are data: the server routes them, the browser calls them by key, the documentation lists them. */
export const endpoints = <const E extends Endpoints>(table: E): E => table

type Fields<S, Otherwise> = S extends z.ZodType ? z.input<S> : Otherwise
type ReplyOf<R> = R extends z.ZodType ? z.output<R> : undefined

export type Call<E extends Endpoint> = {
  params: Fields<E['params'], undefined>
  query: Fields<E['query'], undefined>
  body: Fields<E['body'], undefined>
  reply: { [S in keyof E['replies']]: ReplyOf<E['replies'][S]> }[keyof E['replies']]
}
