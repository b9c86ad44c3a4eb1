import { Outlet } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { BottomBar } from '#web/shell/bottom-bar.tsx'
import { Footer } from '#web/shell/footer.tsx'
import { Rail } from '#web/shell/rail.tsx'
import { TopBar } from '#web/shell/top-bar.tsx'
import { UpdateBanner } from '#web/shell/update-banner.tsx'

export function MainLayout({ children = <Outlet /> }: { children?: ReactNode }) {
  return (
    <div className="grid min-h-dvh md:grid-cols-[auto_minmax(0,1fr)]">
      <Rail />
      <div className="flex min-w-0 flex-col max-md:pb-[calc(3.75rem+env(safe-area-inset-bottom))]">
        <UpdateBanner />
        <TopBar isBesideRail />
        <main id="main" tabIndex={-1} className="measure flex-1 px-4 py-6 md:px-8 md:py-8">
          {children}
        </main>
        <Footer isBesideRail />
      </div>
      <BottomBar />
    </div>
  )
}
