import { PlaceLink } from '#web/navigation/place-link.tsx'
import { LoadCalculator } from '#web/pages/dashboard/load-calculator.tsx'
import { buttonLook } from '#web/ui/button.tsx'
import { NumberedSteps } from '#web/ui/numbered-steps.tsx'

const steps = [
  {
    title: 'List it',
    text: 'Photos, material, grade and weight. Price by the lot or by the tonne, with a reservation price if you want one.',
  },
  {
    title: 'Merchants bid',
    text: 'A timed auction in the open: everybody sees the price and the time left, nobody sees your reservation price.',
  },
  { title: 'Get paid', text: 'The winner pays through Stripe before anything leaves your yard.' },
  { title: 'Hand it over', text: 'Collection or delivery, weighbridge tickets, amends and the invoice in one place.' },
]

/** What a visitor reads further down. */
export default function VisitorMore() {
  return (
    <div className="grid gap-12">
      <section aria-labelledby="how" className="grid gap-4">
        <h2 id="how" className="tabular text-28">
          How it works
        </h2>
        <NumberedSteps steps={steps} className="grid gap-x-8 md:grid-cols-2 xl:grid-cols-4" />
      </section>
      <div className="grid gap-8 lg:grid-cols-2">
        <LoadCalculator />
        <WhoFor />
      </div>
    </div>
  )
}

function WhoFor() {
  return (
    <section aria-labelledby="who" className="grid content-start gap-4">
      <h2 id="who" className="tabular text-28">
        Who it is for
      </h2>
      <dl className="grid gap-4">
        <div className="border-t border-line pt-3">
          <dt className="font-strong">Merchants</dt>
          <dd className="mt-1 text-muted">
            Dealers, collectors, salvage, processors, demolition, skip hire and brokers: buy and sell scrap, and reach more merchants than
            you can phone.
          </dd>
        </div>
        <div className="border-t border-line pt-3">
          <dt className="font-strong">Tradespeople</dt>
          <dd className="mt-1 text-muted">
            Electricians, plumbers, roofers, builders and engineers: say what you have, and let merchants come to you.
          </dd>
        </div>
        <div className="border-t border-line pt-3">
          <dt className="font-strong">What you need</dt>
          <dd className="mt-1 text-muted">
            A UK business address and a Stripe account. Buying scrap takes a scrap dealer licence as well.
          </dd>
        </div>
      </dl>
      <PlaceLink to="preregistration" className={buttonLook('primary', 'justify-self-start')}>
        Sign up
      </PlaceLink>
    </section>
  )
}
