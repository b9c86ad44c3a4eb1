export const ENQUIRY_TITLE_MAX = 120
export const ENQUIRY_TEXT_MAX = 2_000
