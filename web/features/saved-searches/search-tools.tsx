import { Bookmark, BookmarkPlus } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { SearchFilter } from '#contract/search.ts'
import { SavedList } from '#web/features/saved-searches/saved-list.tsx'
import { Button } from '#web/ui/button.tsx'
import { lazyPart } from '#web/ui/lazy-part.ts'

// a form, which nobody who only looks needs
const SaveSearch = lazyPart(() => import('#web/features/saved-searches/save-search.tsx'))

type Props = {
  /** What is narrowed now; empty when nothing is. */
  filter: SearchFilter
  suggestedName: string
  onUse: (filter: SearchFilter) => void
}

/** For members: save what the list is narrowed to, or go back to what was saved. */
export function SearchTools({ filter, suggestedName, onUse }: Props) {
  const [open, setOpen] = useState<'save' | 'list' | null>(null)
  const close = () => setOpen(null)
  const isNarrowed = Object.keys(filter).length > 0
  return (
    <>
      {isNarrowed && (
        <Button kind="quiet" onClick={() => setOpen('save')}>
          <BookmarkPlus className="size-4" aria-hidden="true" />
          Save search
        </Button>
      )}
      <Button kind="quiet" onClick={() => setOpen('list')}>
        <Bookmark className="size-4" aria-hidden="true" />
        Saved
      </Button>
      {open === 'save' && (
        <Suspense>
          <SaveSearch filter={filter} suggestedName={suggestedName} onDone={close} />
        </Suspense>
      )}
      {open === 'list' && (
        <SavedList
          onClose={close}
          onUse={(saved) => {
            close()
            onUse(saved)
          }}
        />
      )}
    </>
  )
}
