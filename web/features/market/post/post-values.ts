import type { Enquiry } from '#contract/market/enquiries.ts'
import type { FoundAddress } from '#contract/location.ts'
import type { MediaItem } from '#contract/storage.ts'
import type { MaterialId } from '#contract/values/materials.ts'

export type PostValues = {
  media: MediaItem[]
  material_id: MaterialId | ''
  title: string
  weight_kg: number | null
  available_from: string
  description: string
  use_default_address: boolean
  address: FoundAddress | null
}

export const emptyPost: PostValues = {
  media: [],
  material_id: '',
  title: '',
  weight_kg: null,
  available_from: '',
  description: '',
  use_default_address: true,
  address: null,
}

/** An enquiry back in the fields. */
export const valuesOf = (enquiry: Enquiry): PostValues => ({
  media: enquiry.media,
  material_id: enquiry.material.id,
  title: enquiry.title,
  weight_kg: enquiry.weight_kg,
  available_from: enquiry.available_from ?? '',
  description: enquiry.description,
  use_default_address: false,
  address: enquiry.address && { ...enquiry.address, county: enquiry.address.county ?? '' },
})

export const bodyOf = (values: PostValues) => ({
  title: values.title,
  material_id: values.material_id as MaterialId,
  media: values.media.map(({ storage_object_id }) => storage_object_id),
  ...(values.description.trim() && { description: values.description }),
  ...(values.weight_kg !== null && { weight_kg: values.weight_kg }),
  ...(values.available_from && { available_from: values.available_from }),
  ...(values.address ? { address: values.address } : { use_default_address: true }),
})
