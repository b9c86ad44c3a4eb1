import type { ReactNode } from 'react'
import { useConfig } from '#web/api/config.ts'
import { Page } from '#web/page/page.tsx'
import { Section } from '#web/page/sections.tsx'
import { Callout } from '#web/ui/callout.tsx'

type Props = { title: string; which: 'privacy_url' | 'terms_url'; parts: readonly (readonly [heading: string, text: ReactNode])[] }

/** A plain page of our own; where configuration names another address, that one holds and is linked. */
export function LegalPage({ title, which, parts }: Props) {
  const address = useConfig()?.[which]
  return (
    <Page title={title}>
      {address && !address.startsWith('/') && (
        <Callout>
          <p>
            The full text is at{' '}
            <a href={address} className="link wrap-anywhere">
              {address}
            </a>
            .
          </p>
        </Callout>
      )}
      <div>
        {parts.map(([heading, text]) => (
          <Section key={heading} title={heading}>
            <p className="text-16 text-muted">{text}</p>
          </Section>
        ))}
      </div>
    </Page>
  )
}
