/** How old an enquiry may be, for the market's filter. */
export const enquiryAges = { '1d': 'Last 24 hours', '3d': 'Last 3 days', '7d': 'Last 7 days' } as const
export type EnquiryAge = keyof typeof enquiryAges
export const ENQUIRY_TITLE_MAX = 120
export const ENQUIRY_TEXT_MAX = 2_000
