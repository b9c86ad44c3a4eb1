import { Laptop, Smartphone, TabletSmartphone } from 'lucide-react'
import { Page } from '#web/page/page.tsx'

const devices = [
  {
    name: 'iPhone and iPad',
    icon: Smartphone,
    steps: ['Open this page in Safari.', 'Tap Share, the square with the arrow.', 'Tap “Add to Home Screen”, then “Add”.'],
  },
  {
    name: 'Android',
    icon: TabletSmartphone,
    steps: ['Open this page in Chrome.', 'Tap the three dots at the top right.', 'Tap “Add to Home screen” or “Install app”.'],
  },
  {
    name: 'Computer',
    icon: Laptop,
    steps: [
      'Open this page in Chrome or Edge.',
      'Click the install icon at the right end of the address bar.',
      'Click “Install”. On a Mac with Safari: File, “Add to Dock”.',
    ],
  },
]

export default function DownloadPage() {
  return (
    <Page
      title="Get the app"
      lead="Yardbid needs no app store. Put it on your home screen and it opens like any other app, always in its newest version."
    >
      <div className="grid gap-x-10 md:grid-cols-2 xl:grid-cols-3">
        {devices.map(({ name, icon: Icon, steps }) => (
          <section key={name} className="grid content-start gap-3 border-t border-line py-6">
            <h2 className="flex items-center gap-2 text-20">
              <Icon className="size-6 text-copper" strokeWidth={1.5} aria-hidden="true" />
              {name}
            </h2>
            <ol className="grid gap-2">
              {steps.map((step, row) => (
                <li key={step} className="grid grid-cols-[1.5rem_1fr] text-16">
                  <span className="tabular text-primary" aria-hidden="true">
                    {row + 1}
                  </span>
                  {step}
                </li>
              ))}
            </ol>
          </section>
        ))}
      </div>
    </Page>
  )
}
