import type { Listing } from '#contract/listings.ts'
import { MaterialPlate } from '#web/features/listings/material-plate.tsx'

/** The first photo, small; without one the plate of its material, whose name has no room here. */
export function Thumbnail({ listing: { media, material }, className = '' }: { listing: Listing; className?: string }) {
  const photo = media.find(({ thumbnail_url }) => thumbnail_url)?.thumbnail_url
  if (!photo) return <MaterialPlate material={material} className={`[&>span]:hidden ${className}`} />
  return <img src={photo} alt="" loading="lazy" decoding="async" className={`aspect-4/3 w-full bg-sunken object-cover ${className}`} />
}
