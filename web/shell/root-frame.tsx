import { Outlet } from '@tanstack/react-router'
import { NoticeStack } from '#web/shell/notice-stack.tsx'
import { OwnNews } from '#web/shell/own-news.tsx'
import { ProgressBar } from '#web/shell/progress-bar.tsx'

export function RootFrame() {
  return (
    <>
      <a
        href="#main"
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-base bg-primary-fill px-4 py-3 font-strong text-on-primary focus:translate-y-0"
      >
        Skip to the content
      </a>
      <ProgressBar />
      <Outlet />
      <NoticeStack />
      <OwnNews />
    </>
  )
}
