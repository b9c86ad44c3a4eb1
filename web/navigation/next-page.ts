import { useLocation } from '@tanstack/react-router'
import { placeOf, type Place } from '#contract/values/places.ts'
import { nextOf } from '#web/navigation/guard.ts'

// the ways in, and the page that a login opens by itself: they hand on what they were given
const notRemembered: readonly Place[] = [
  'dashboard',
  'login',
  'register',
  'preregistration',
  'forgot-password',
  'reset-password',
  'verify-email',
  'undo-email-change',
  'restore-account',
  'onboarding',
  'provider-return',
  'provider-reauth',
]

/** RULES §1: every way to log in leads back to the page that it was taken from. */
export function useNextPage(): { next?: string } {
  const { pathname, href, search } = useLocation()
  const place = placeOf(pathname)
  const next = place && !notRemembered.includes(place) ? href : nextOf(search)
  return next === undefined ? {} : { next }
}
