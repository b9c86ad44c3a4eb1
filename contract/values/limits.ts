// SPEC §9 and §5, in one place for server and browser alike.

export const API_TIMEOUT_MS = 5_000
export const PROVIDER_TIMEOUT_MS = 4_000 // below the caller's 5 s, so that it hears our answer instead of its own time-out
export const PROGRESS_BAR_DELAY_MS = 300
export const BODY_LIMIT_BYTES = 64 * 1024

export const FILES_PER_PICK_MAX = 10
export const MERCHANT_DOCUMENTS_MAX = 5

export const CONTACT_NUMBER_MIN = 10
export const CONTACT_NUMBER_MAX = 13
/** As it may be typed, with spaces, dashes and brackets. */
export const CONTACT_NUMBER_TYPED_MAX = 40
export const PASSWORD_MIN = 8
export const PASSWORD_MAX = 256
export const NAME_MAX = 100
export const COMPANY_NAME_MAX = 160
export const EMAIL_MAX = 254
export const REASON_MAX = 1_000
/** Of a message in chat and market. */
export const MESSAGE_MAX = 4_000
export const MOST_MESSAGE_PHOTOS = 5
export const MINIMUM_AGE = 18
/** SPEC §5: files per pick, and per listing. */
export const MOST_MEDIA = 10
/** The most that the setting `listing_durations` can offer, in days. */
export const LISTING_DAYS_MAX = 365
/** SPEC §9, video thumbnails: JPEG quality, which second, and scale. */
export const VIDEO_POSTER = { quality: 0.7, interval: 1, scale: 0.7 } as const

/** The UK with its islands, in degrees: an address lookup cannot give anything else. */
export const UK = { south: 49, north: 61, west: -9, east: 2.5 } as const

/** How many listings one connection follows by name; whoever wants more follows all of them. */
export const MOST_LISTING_TOPICS = 200

/** More listings than this are shown on the map as clusters. */
export const MOST_MAP_POINTS = 1_000
