import { useConfig } from '#web/api/config.ts'
import { LegalLink } from '#web/navigation/legal-link.tsx'
import { PlaceLink } from '#web/navigation/place-link.tsx'
import { ThemeSwitch } from '#web/shell/theme-switch.tsx'

const look = 'inline-flex min-h-11 items-center hover:text-ink hover:underline underline-offset-4'

export function Footer({ isBesideRail = false }: { isBesideRail?: boolean }) {
  const supportEmail = useConfig()?.support_email
  return (
    <footer className="border-t border-line text-muted">
      <div className={`flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-4 py-3 md:px-8 ${isBesideRail ? 'measure' : ''}`}>
        <nav aria-label="About" className="flex flex-wrap gap-x-6">
          <LegalLink to="privacy" className={look}>
            Privacy policy
          </LegalLink>
          <LegalLink to="terms" className={look}>
            Terms and conditions
          </LegalLink>
          <PlaceLink to="download" className={look}>
            Get the app
          </PlaceLink>
          {supportEmail && (
            <a href={`mailto:${supportEmail}`} className={look}>
              Contact us
            </a>
          )}
        </nav>
        <ThemeSwitch />
      </div>
    </footer>
  )
}
