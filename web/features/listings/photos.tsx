import { Play } from 'lucide-react'
import type { Listing } from '#contract/listings.ts'

/** Every photo and video, small; each opens at its full size in a tab of its own. */
export function Photos({ media }: Pick<Listing, 'media'>) {
  if (media.length === 0) return null
  return (
    <section aria-labelledby="photos" className="grid gap-2">
      <h2 id="photos" className="text-16">
        Photos
      </h2>
      <ul className="grid grid-cols-3 gap-2 md:grid-cols-4">
        {media.map(({ storage_object_id, media: { url }, thumbnail_url, media_type }, nth) => {
          const isVideo = media_type === 'ListingVideo'
          return (
            <li key={storage_object_id}>
              <a
                href={url}
                target="_blank"
                rel="noopener"
                aria-label={`${isVideo ? 'Video' : 'Photo'} ${nth + 1} of ${media.length}, opens in a new tab`}
                className="relative grid aspect-4/3 place-items-center overflow-hidden rounded-base bg-sunken"
              >
                {thumbnail_url && (
                  <img src={thumbnail_url} alt="" loading="lazy" decoding="async" className="absolute inset-0 size-full object-cover" />
                )}
                {isVideo && <Play className="relative size-8 rounded-full bg-surface p-1 text-ink" aria-hidden="true" />}
              </a>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
