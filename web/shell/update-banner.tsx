import { RefreshCw } from 'lucide-react'
import { frameSentences } from '#contract/values/frame-sentences.ts'
import { useIsOutdated } from '#web/api/app-version.ts'
import { Button } from '#web/ui/button.tsx'

export function UpdateBanner() {
  const isOutdated = useIsOutdated()
  return (
    <div role="status" className="sticky top-0 z-30">
      {isOutdated && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line bg-warning-soft px-4 py-2 md:px-8">
          <p className="flex-1 basis-64">
            <strong className="mr-2">{frameSentences.updateTitle}</strong>
            {frameSentences.updateBody}
          </p>
          <Button kind="plain" onClick={() => window.location.reload()}>
            <RefreshCw className="size-4" aria-hidden="true" />
            Reload
          </Button>
        </div>
      )}
    </div>
  )
}
