import { TierPrices } from '#web/features/subscription/tier-prices.tsx'
import { PlaceLink } from '#web/navigation/place-link.tsx'
import { Heading } from '#web/page/page.tsx'
import { EndingSoon } from '#web/pages/dashboard/ending-soon.tsx'
import { buttonLook } from '#web/ui/button.tsx'
import { WhenNear } from '#web/ui/when-near.tsx'
import { lazyPart } from '#web/ui/lazy-part.ts'

const More = lazyPart(() => import('#web/pages/dashboard/visitor-more.tsx'))

export function VisitorDashboard() {
  return (
    <div className="grid gap-12">
      <Hero />
      <EndingSoon />
      <WhenNear>
        <More />
      </WhenNear>
    </div>
  )
}

function Hero() {
  return (
    <div className="plate -mx-4 -mt-6 grid gap-8 px-4 py-10 md:mx-0 md:mt-0 md:rounded-base md:p-10 lg:grid-cols-[minmax(0,1fr)_22rem] lg:gap-16">
      <div className="grid content-center justify-items-start gap-6">
        <Heading className="max-w-2xl text-40">Scrap metal and goods, sold by timed auction between UK merchants and tradespeople</Heading>
        <p className="max-w-lg text-16 text-on-steel-muted">
          You see what it weighs, what it is bid at and how long is left. The best price takes it.
        </p>
        <div className="flex flex-wrap gap-3">
          <PlaceLink to="preregistration" className={buttonLook('copper')}>
            Create an account
          </PlaceLink>
          <PlaceLink to="listings" className={buttonLook('steel')}>
            Browse listings
          </PlaceLink>
        </div>
      </div>
      <TierPrices />
    </div>
  )
}
