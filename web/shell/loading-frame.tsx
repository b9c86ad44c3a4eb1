import { MainLayout } from '#web/shell/main-layout.tsx'
import { PlainLayout } from '#web/shell/plain-layout.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** The frame without its page: the first visit waits here until the server has said who it is. */
export function LoadingFrame({ isPlain }: { isPlain: boolean }) {
  const Layout = isPlain ? PlainLayout : MainLayout
  return (
    <Layout>
      <div role="status" className={`grid gap-4 ${isPlain ? 'px-4 py-8 md:px-8' : ''}`}>
        <span className="sr-only">Loading the page…</span>
        <Skeleton className="h-10 w-64 max-w-full" />
        <Skeleton className="h-40 w-full" />
      </div>
    </Layout>
  )
}
