import { queryOptions, useQuery } from '@tanstack/react-query'
import type { UserLite } from '#contract/account.ts'
import { ApiError } from '#web/api/api-error.ts'
import { call } from '#web/api/api.ts'
import { queryClient } from '#web/api/query-client.ts'

const REMEMBERED = 'logged_in'
/** A prompt that the user put off is hidden until the next login. */
export const PROMPT_PUT_OFF = 'prompt_put_off'
const userKey = ['user']
const tabs = new BroadcastChannel('session')

export type SessionNews = 'logged_in' | 'logged_out'

// undefined: unknown yet; null: a visitor. Loaded by the guard and refreshed by us, never by the query itself.
const userQuery = queryOptions<UserLite | null>({
  queryKey: userKey,
  queryFn: fetchUser,
  enabled: false,
  staleTime: Infinity,
  gcTime: Infinity,
})

export const useUser = (): UserLite | null => useQuery(userQuery).data ?? null

/** Undefined for somebody who was logged in last time, until the server has said who it is. */
export const useUserIfKnown = (): UserLite | null | undefined => useQuery(userQuery).data ?? (isWritten(REMEMBERED) ? undefined : null)

/** Part of the key of every query whose answer says what something is to its viewer. */
export const useViewerId = (): string => useUser()?.id ?? 'visitor'

/** Nobody is logged in here, as far as is known. */
export const isLoggedOut = (): boolean => knownUser() === null

const knownUser = () => queryClient.getQueryData<UserLite | null>(userKey)

/** SPEC §2: an unknown user is loaded before navigation proceeds. */
export async function loadUser(): Promise<UserLite | null> {
  const known = knownUser()
  return known === undefined ? refreshUser() : known
}

/** Rises with each question who is there, and with each session that begins or ends here. */
let newestWord = 0

export async function refreshUser(): Promise<UserLite | null> {
  const word = ++newestWord
  try {
    const user = await fetchUser()
    // asked before somebody logged out or in: the answer is of a session that is over
    if (word !== newestWord) return knownUser() === undefined ? user : (knownUser() ?? null)
    storeUser(user)
    return user
  } catch (error) {
    // somebody who was not logged in last time reads the public pages although the server cannot say who it is
    if (isWritten(REMEMBERED)) throw error
    return null
  }
}

/** A session begins, or ends with null. */
export function setUser(user: UserLite | null): void {
  newestWord++
  storeUser(user)
  write(PROMPT_PUT_OFF, false)
}

/** The answer to a change that the user made. Does nothing, and answers false, if that user has logged out meanwhile. */
export function updateUser(user: UserLite): boolean {
  if (knownUser()?.id !== user.id) return false
  storeUser(user)
  return true
}

function storeUser(user: UserLite | null): void {
  queryClient.setQueryData(userKey, user)
  write(REMEMBERED, user !== null)
}

/** The next navigation asks the server who is there. */
export const forgetUser = (): void => queryClient.removeQueries({ queryKey: userKey })

/** What one person saw is gone before the next one looks. */
export function endSession(): void {
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'config' && queryKey[0] !== userKey[0] })
  setUser(null)
}

export const tellOtherTabs = (news: SessionNews): void => tabs.postMessage(news)
export const hearOtherTabs = (listener: (news: SessionNews) => void): void =>
  tabs.addEventListener('message', (event: MessageEvent<SessionNews>) => listener(event.data))

async function fetchUser(): Promise<UserLite | null> {
  try {
    return (await call('GET /api/v1/auth/me/lite', { skipAuthRedirect: true, isWebRequest: true })).data
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null
    throw error
  }
}

/** A yes or no that this browser remembers. */
export function write(name: string, is: boolean) {
  try {
    localStorage.setItem(name, String(is))
  } catch {
    // storage is switched off: the session cookie still decides
  }
}

export function isWritten(name: string): boolean {
  try {
    return localStorage.getItem(name) === 'true'
  } catch {
    return false
  }
}
