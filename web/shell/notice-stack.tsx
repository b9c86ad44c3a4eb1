import { useEffect } from 'react'
import { dismiss, useNotices, type Notice } from '#web/api/notices.ts'
import { StillWaiting } from '#web/sending/still-waiting.tsx'
import { NoticeCard } from '#web/ui/notice-card.tsx'

// good news needs no answer; bad news stays until it is dismissed
const SUCCESS_STAYS_MS = 6_000

/** Newest first. On a phone under the top bar, because what one does next is at the bottom; on a wide screen clear of Reload and Log out. */
export function NoticeStack() {
  const notices = useNotices()
  return (
    <section
      aria-label="Notices"
      aria-live="polite"
      className="fixed right-4 left-4 pointer-events-none z-40 grid gap-2 max-md:top-[calc(4.5rem+env(safe-area-inset-top))] md:bottom-4 md:left-auto md:w-96"
    >
      {/* a dialog says it itself: what lies behind one is dimmed and read to nobody */}
      <StillWaiting className="rounded-base border border-line bg-surface px-3 py-4 shadow-lift [body:has(dialog:modal)_&]:hidden" />
      {notices.map((notice) => (
        <StackedNotice key={notice.id} notice={notice} />
      ))}
    </section>
  )
}

function StackedNotice({ notice }: { notice: Notice }) {
  const { id, type } = notice
  useEffect(() => {
    if (type !== 'success') return
    const timer = setTimeout(() => dismiss(id), SUCCESS_STAYS_MS)
    return () => clearTimeout(timer)
  }, [id, type])
  return <NoticeCard {...notice} onDismiss={() => dismiss(id)} />
}
