import type { ReactNode } from 'react'

const looks = {
  primary: 'border-l-copper bg-primary-soft',
  warning: 'border-l-warning bg-warning-soft',
  danger: 'border-l-danger bg-danger-soft',
  success: 'border-l-success bg-success-soft',
} as const

/** Something to know before going on, in the flow of the page. */
export function Callout({ look = 'primary', title, children }: { look?: keyof typeof looks; title?: ReactNode; children: ReactNode }) {
  return (
    <div className={`grid gap-1 rounded-base border-l-4 px-4 py-3 ${looks[look]}`}>
      {title && <p className="font-strong">{title}</p>}
      {children}
    </div>
  )
}
