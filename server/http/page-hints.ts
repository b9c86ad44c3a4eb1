import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Place } from '#contract/values/places.ts'

type Chunk = { file: string; imports?: string[]; assets?: string[] }
type Hints = { chunks?: string[]; calls?: string[] }

/**
 * What a page asks for as soon as its script runs, told with the page itself: on a phone's connection each turn saved is 150 ms.
 * A browser test holds that nothing is hinted in vain.
 */
const hintsOf: Partial<Record<Place, (path: string) => Hints>> = {
  dashboard: () => ({ calls: ['/api/v1/config'] }),
  listings: () => ({ chunks: ['pages/listings/listings.tsx'] }),
  listing: (path) => ({ chunks: ['pages/listings/listings.tsx', 'pages/listings/listing.tsx'], calls: [`/api/v1/listings/${idIn(path)}`] }),
}
/** SPEC §2: an unknown user is loaded before navigation proceeds. */
const onEveryPage = ['/api/v1/auth/me/lite?isWebRequest=1']

/** The value of the header `Link` for a visit to a place. */
export function pageHints(dir: string): (place: Place, path: string) => string {
  const manifest = readManifest(dir)
  const first = filesOf(manifest, 'index.html')
  // the face of headings and prices: with it before the first paint, no line breaks anew
  const fonts = (manifest['index.html']?.assets ?? []).filter((file) => /barlow[^/]*\.woff2$/.test(file))
  return (place, path) => {
    const { chunks = [], calls = [] } = hintsOf[place]?.(path) ?? {}
    const files = new Set(chunks.flatMap((chunk) => [...filesOf(manifest, chunk)]))
    return [
      ...fonts.map((file) => `</${file}>; rel=preload; as=font; crossorigin`),
      ...[...onEveryPage, ...calls].map((call) => `<${call}>; rel=preload; as=fetch; crossorigin=use-credentials`),
      ...[...files].filter((file) => !first.has(file)).map((file) => `</${file}>; rel=modulepreload`),
    ].join(', ')
  }
}

// a header takes no more than an id is made of
const idIn = (path: string) => /\/([\w-]+)\/?$/.exec(path)?.[1] ?? ''

function readManifest(dir: string): Record<string, Chunk> {
  const file = join(dir, '.vite', 'manifest.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, Chunk>) : {}
}

/** Files may import each other. */
function filesOf(manifest: Record<string, Chunk>, name: string, found = new Set<string>()): Set<string> {
  const chunk = manifest[name]
  if (!chunk || found.has(chunk.file)) return found
  found.add(chunk.file)
  for (const needed of chunk.imports ?? []) filesOf(manifest, needed, found)
  return found
}
