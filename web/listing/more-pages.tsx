import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { messageOf } from '#web/api/api-error.ts'
import { ShowMore } from '#web/ui/show-more.tsx'

/** The way to the next page of a list, which loads by itself when it comes near; after a failure only when asked. */
export function MorePages({ pages }: { pages: UseInfiniteQueryResult }) {
  const { error, isFetching, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = pages
  return (
    <>
      {isFetchNextPageError && <p className="text-danger">{messageOf(error)}</p>}
      {hasNextPage && (
        <ShowMore onMore={() => void fetchNextPage()} isLoading={isFetchingNextPage} isByItself={!isFetching && !isFetchNextPageError} />
      )}
    </>
  )
}
