// What other features may use of onboarding.
export { profileOf } from '#server/features/onboarding/actions.ts'
