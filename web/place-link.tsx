import { Link } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import { places, type Place } from '#contract/places.ts'

type Props = Omit<ComponentProps<'a'>, 'href'> & { to: Place; search?: Record<string, string>; isExact?: boolean; children: ReactNode }

/** A link by route name: a place that is not in contract/places.ts does not compile. */
export function PlaceLink({ to, search, isExact, ...rest }: Props) {
  return (
    <Link to={places[to].path} {...(search && { search })} activeOptions={{ exact: isExact ?? false, includeSearch: false }} {...rest} />
  )
}
