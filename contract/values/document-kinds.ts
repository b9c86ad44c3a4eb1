export const documentKinds = {
  scrap_dealer_licence: 'Scrap dealer licence',
  waste_carrier: 'Waste carrier registration',
  other: 'Other document',
} as const
export type DocumentKind = keyof typeof documentKinds

export const documentStatuses = ['pending', 'approved', 'rejected'] as const
export type DocumentStatus = (typeof documentStatuses)[number]

/** How far somebody's licence is; `approved` counts until it expires. */
export const licenceStatuses = ['none', ...documentStatuses] as const
export type LicenceStatus = (typeof licenceStatuses)[number]

export const DOCUMENT_DETAIL_MAX = 100
