// What other features may use of material preferences.
export { erasePreferences } from '#server/features/preferences/actions.ts'
export { findMatching } from '#server/features/preferences/matching.ts'
