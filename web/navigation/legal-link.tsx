import type { ReactNode } from 'react'
import { useConfig } from '#web/api/config.ts'
import { PlaceLink } from '#web/navigation/place-link.tsx'

type Props = { to: 'privacy' | 'terms'; className?: string; inNewTab?: boolean; children: ReactNode }

/** SPEC §2: the privacy policy and the terms are external pages where configuration names them, our own otherwise. */
export function LegalLink({ to, className, inNewTab, children }: Props) {
  const config = useConfig()
  const address = to === 'privacy' ? config?.privacy_url : config?.terms_url
  const tab = inNewTab ? { target: '_blank', rel: 'noopener' } : {}
  if (!address || address.startsWith('/'))
    return (
      <PlaceLink to={to} className={className} {...tab}>
        {children}
      </PlaceLink>
    )
  return (
    <a href={address} className={className} {...tab}>
      {children}
    </a>
  )
}
