import type { Listing } from '#contract/listings.ts'
import { MaterialPlate } from '#web/cards/material-plate.tsx'

type Props = { listing: Pick<Listing, 'media' | 'material'>; sizes: string; className?: string; isEager?: boolean }

/** The first photo of a listing; without one, or until it is here, the plate of its material. */
export function Cover({ listing: { media, material }, sizes, className, isEager = false }: Props) {
  const photo = media.find(({ thumbnail_url }) => thumbnail_url !== null)
  return (
    <MaterialPlate material={material} {...(className && { className })}>
      {photo?.thumbnail_url && (
        <img
          src={photo.thumbnail_url}
          srcSet={Object.entries(photo.thumbnails)
            .map(([width, address]) => `${address} ${width}w`)
            .join(', ')}
          sizes={sizes}
          alt=""
          loading={isEager ? 'eager' : 'lazy'}
          {...(isEager && { fetchPriority: 'high' as const })}
          decoding="async"
          className="absolute inset-0 size-full object-cover"
        />
      )}
    </MaterialPlate>
  )
}
