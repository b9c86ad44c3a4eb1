// What other features may use of second factors.
export { countRecoveryCodes, secondFactors, type SecondFactors } from '#server/features/second-factor/second-factors.ts'
