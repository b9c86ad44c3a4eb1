import type { ReactNode } from 'react'

const atFoot =
  'max-md:sticky max-md:bottom-0 max-md:z-20 max-md:-mx-4 max-md:border-t max-md:border-line max-md:bg-surface max-md:px-4 max-md:pt-3 max-md:pb-[calc(0.75rem+env(safe-area-inset-bottom))]'

/** What ends a form or a stage; where nothing else is there, it stays at the foot of a phone's screen. */
export function ActionBar({ isAtFoot = true, children }: { isAtFoot?: boolean; children: ReactNode }) {
  return <div className={`flex gap-3 max-md:[&>:first-child]:flex-1 ${isAtFoot ? atFoot : ''}`}>{children}</div>
}
