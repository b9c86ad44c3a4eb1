import type { AnyRouter } from '@tanstack/react-router'
import { placeOf } from '#contract/values/places.ts'
import { pageTable } from '#web/page-table.ts'

/** After every navigation: the title names the page, and the focus stands at its heading. */
export function watchArrivals(router: AnyRouter): void {
  router.subscribe('onRendered', ({ fromLocation, toLocation, pathChanged }) => {
    const place = placeOf(toLocation.pathname)
    document.title = `${place ? pageTable[place].title : 'Page not found'} · Yardbid`
    if (fromLocation && pathChanged)
      (document.querySelector<HTMLElement>('h1') ?? document.querySelector<HTMLElement>('main'))?.focus({ preventScroll: true })
  })
}
