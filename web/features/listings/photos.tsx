import type { Listing } from '#contract/listings.ts'

type Media = Listing['media'][number]

/** Every photo small, each opens at its full size in a tab of its own; videos play where they are. */
export function Photos({ media }: Pick<Listing, 'media'>) {
  // a single photo is the cover, which opens by itself
  if (media.length === 0 || (media.length === 1 && !media.some(isVideo))) return null
  return (
    <section aria-labelledby="photos" className="grid gap-2">
      <h2 id="photos" className="text-16">
        {media.some(isVideo) ? 'Photos and videos' : 'Photos'}
      </h2>
      <ul className="grid grid-cols-3 gap-2 md:grid-cols-4">
        {media.map((item, nth) =>
          isVideo(item) ? (
            <li key={item.storage_object_id} className="col-span-full md:col-span-2 md:row-span-2">
              <Video item={item} name={`Video, ${nth + 1} of ${media.length}`} />
            </li>
          ) : (
            <li key={item.storage_object_id}>
              <Photo item={item} name={`Photo ${nth + 1} of ${media.length}, opens in a new tab`} />
            </li>
          ),
        )}
      </ul>
    </section>
  )
}

const isVideo = ({ media_type }: Media) => media_type === 'ListingVideo'

function Photo({ item: { media, thumbnail_url }, name }: { item: Media; name: string }) {
  return (
    <a
      href={media.url}
      target="_blank"
      rel="noopener"
      aria-label={name}
      className="relative grid aspect-4/3 overflow-hidden rounded-base bg-sunken"
    >
      {thumbnail_url && (
        <img src={thumbnail_url} alt="" loading="lazy" decoding="async" className="absolute inset-0 size-full object-cover" />
      )}
    </a>
  )
}

/** Without sound until it is asked for: a yard is loud. Nothing of it is fetched before somebody plays it. */
function Video({ item: { media, poster_url }, name }: { item: Media; name: string }) {
  return (
    <video
      src={media.url}
      poster={poster_url ?? undefined}
      aria-label={name}
      controls
      muted
      playsInline
      preload="none"
      className="aspect-4/3 size-full rounded-base bg-sunken object-cover"
    />
  )
}
