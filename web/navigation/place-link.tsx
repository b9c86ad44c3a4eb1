import { Link } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import { places, type Place } from '#contract/values/places.ts'

type Props = Omit<ComponentProps<'a'>, 'href'> & {
  to: Place
  params?: Record<string, string>
  search?: Record<string, string>
  /** The part of the page to go to. */
  hash?: string
  isExact?: boolean
  /** False: the page stays where it is scrolled to. */
  resetScroll?: boolean
  children: ReactNode
}

/** A link by route name: a place that is not in contract/values/places.ts does not compile. */
export function PlaceLink({ to, params, search, isExact, ...rest }: Props) {
  return (
    <Link
      to={routePath(places[to].path)}
      {...(params && { params })}
      {...(search && { search })}
      activeOptions={{ exact: isExact ?? false, includeSearch: false }}
      {...rest}
    />
  )
}

/** `{id}` of contract/values/places.ts as the router spells it. */
export const routePath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, '$$$1')
