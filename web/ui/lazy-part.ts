import { lazy, type ComponentType } from 'react'

const AGAIN_AFTER_MS = 5_000

/** A part of a page with a chunk of its own. While that cannot be loaded the page stands without it: React.lazy alone would end the page. */
export const lazyPart = <Props>(load: () => Promise<{ default: ComponentType<Props> }>) => lazy(() => loadUntilThere(load))

const loadUntilThere = <Part>(load: () => Promise<Part>): Promise<Part> =>
  load().catch(async () => {
    await new Promise((resolve) => {
      addEventListener('online', resolve, { once: true })
      setTimeout(resolve, AGAIN_AFTER_MS)
    })
    return loadUntilThere(load)
  })
