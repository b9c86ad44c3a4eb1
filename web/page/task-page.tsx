import { Gavel, Store, Users } from 'lucide-react'
import type { ReactNode } from 'react'
import { Heading } from '#web/page/page.tsx'

type Props = { title: string; lead?: ReactNode; above?: ReactNode; aside?: ReactNode; isWide?: boolean; children: ReactNode }

/** One task in one column; on a wide screen a plate of steel beside it says what it is for. */
export function TaskPage({ title, lead, above, aside, isWide = false, children }: Props) {
  return (
    <div className="grid flex-1 lg:grid-cols-[minmax(0,1fr)_24rem] xl:grid-cols-[minmax(0,1fr)_28rem]">
      <div className="px-4 py-8 md:px-8 md:py-12">
        <div className={`mx-auto grid content-start gap-8 ${isWide ? 'max-w-xl' : 'max-w-sm'}`}>
          <div className="grid gap-2">
            {above}
            <Heading>{title}</Heading>
            {lead && <div className="text-16 text-balance text-muted">{lead}</div>}
          </div>
          {children}
        </div>
      </div>
      <aside aria-label="About Yardbid" className="plate max-lg:hidden">
        {/* as high as the window and no higher: it stays filled while a long form scrolls */}
        <div className="sticky top-0 flex min-h-[min(100%,calc(100dvh-4rem))] flex-col justify-between gap-10 px-10 py-12">
          {aside ?? <Benefits />}
        </div>
      </aside>
    </div>
  )
}

// SPEC §1: the three benefits
export const benefits = [
  { icon: Gavel, title: 'Buy and sell scrap', text: 'In timed auctions, by the lot or by the tonne.' },
  { icon: Users, title: 'Increase outreach to more merchants', text: 'One listing, seen by every yard on Yardbid.' },
  { icon: Store, title: 'Find tradesperson deals', text: 'Cable, tanks and lead straight from the job.' },
]

function Benefits() {
  return (
    <>
      <AsideTitle look="text-40">A trading tool for people who weigh metal</AsideTitle>
      <ul className="border-b border-steel-line">
        {benefits.map(({ icon: Icon, title, text }) => (
          <AsideRow key={title} sign={<Icon className="mt-0.5 size-5" strokeWidth={1.75} />} title={title} text={text} />
        ))}
      </ul>
    </>
  )
}

export function AsideTitle({ look = 'text-28', children }: { look?: 'text-28' | 'text-40'; children: string }) {
  return <p className={`tabular text-balance ${look}`}>{children}</p>
}

export function AsideRow({ sign, title, text }: { sign: ReactNode; title: string; text: string }) {
  return (
    <li className="grid grid-cols-[2.25rem_1fr] items-start border-t border-steel-line py-4">
      <span className="tabular text-20 text-on-steel-copper" aria-hidden="true">
        {sign}
      </span>
      <span>
        <span className="block text-16 font-strong">{title}</span>
        <span className="block text-on-steel-muted">{text}</span>
      </span>
    </li>
  )
}
