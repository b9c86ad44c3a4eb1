import { CircleCheck, Flag, TrendingUp, type LucideIcon } from 'lucide-react'
import type { Standing } from '#web/features/bids/standing.ts'

const looks: Partial<Record<Standing, { look: string; Icon: LucideIcon }>> = {
  leading: { look: 'bg-success-soft text-success', Icon: CircleCheck },
  outbid: { look: 'bg-danger-soft text-danger', Icon: TrendingUp },
  ended: { look: 'bg-sunken text-ink', Icon: Flag },
}

/** The place stays in the page, so that what appears in it is announced. */
export function StandingBanner({ standing, news }: { standing: Standing; news: string }) {
  const shown = looks[standing]
  return (
    <div role="status" className="-mx-4 -mt-4 empty:hidden">
      {shown && news && (
        <p className={`flex items-start gap-2 rounded-t-[5px] px-4 py-3 text-16 font-strong ${shown.look}`}>
          <shown.Icon className="mt-0.5 size-5 shrink-0" aria-hidden="true" />
          <span>{news}</span>
        </p>
      )}
    </div>
  )
}
