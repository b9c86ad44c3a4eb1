import { Outlet } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Footer } from '#web/shell/footer.tsx'
import { TopBar } from '#web/shell/top-bar.tsx'
import { UpdateBanner } from '#web/shell/update-banner.tsx'

/** For one task at a time: no rail, nothing to wander off to. */
export function PlainLayout({ children = <Outlet /> }: { children?: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <UpdateBanner />
      <TopBar />
      <main id="main" tabIndex={-1} className="flex flex-1 flex-col [&>[role=alert]]:px-4 md:[&>[role=alert]]:px-8">
        {children}
      </main>
      <Footer />
    </div>
  )
}
