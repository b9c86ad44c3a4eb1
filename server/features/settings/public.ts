// What other features may use of settings.
export { readBidRules, readSteps, type BidRules } from '#server/features/settings/bid-rules.ts'
export { readOnce, settingsReader, type ReadSetting, type SettingReader } from '#server/features/settings/settings.ts'
