import { redirect } from '@tanstack/react-router'
import type { UserLite } from '#contract/account.ts'
import { placeOf, places, type Place } from '#contract/values/places.ts'
import { afterLogin, settle } from '#domain/navigation.ts'
import { loadUser } from '#web/api/session.ts'

type Location = { pathname: string; href: string; search: object }

/** SPEC §2 "Navigation rules": runs before every navigation. */
export async function guard({ location }: { location: Location }): Promise<void> {
  const user = await loadUser()
  const place = placeOf(location.pathname)
  if (!place) return

  const next = nextOf(location.search)
  if (place === 'login' && user) throw redirect({ href: pathAfterLogin(user, next), replace: true })

  if (user && isBackFromProvider(place, user)) return
  const end = settle(place, user)
  if (end === place) return
  throw redirect({ to: places[end].path, replace: true, ...(end === 'login' && { search: { next: location.href } }) })
}

/** The page asks the provider first, and then goes where the rules send. */
const isBackFromProvider = (place: Place, { deletion, is_using_temporary_password }: UserLite) =>
  place.startsWith('provider-') && !deletion && !is_using_temporary_password

export function pathAfterLogin(user: UserLite, next: string | undefined): string {
  const remembered = next && placeInApp(next)
  const end = afterLogin(user, remembered || undefined)
  return next && end === remembered ? next : places[end].path
}

export const nextOf = (search: object): string | undefined =>
  'next' in search && typeof search.next === 'string' ? search.next : undefined

/** Only a place of ours counts as a page to go back to: `//evil.test` and `/\evil.test` lead away. */
function placeInApp(next: string): Place | undefined {
  if (!URL.canParse(next, location.origin)) return undefined
  const url = new URL(next, location.origin)
  const isOurs = url.origin === location.origin && next === url.pathname + url.search + url.hash
  return isOurs ? placeOf(url.pathname) : undefined
}
