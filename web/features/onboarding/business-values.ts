import type { FoundAddress } from '#contract/location.ts'
import type { OnboardingProfile } from '#contract/onboarding.ts'
import type { BusinessActivity } from '#contract/values/business.ts'
import { sentences } from '#contract/values/sentences.ts'
import { lastDayOf } from '#domain/licence.ts'

export type BusinessValues = {
  activities: BusinessActivity[]
  /** One of them; it goes first. */
  main: BusinessActivity | ''
  company_number: string
  sites: { name: string; address: FoundAddress | null }[]
  licence_number: string
  licence_council: string
  licence_expires_at: string
  waste_carrier_number: string
}

export const valuesOf = (profile: OnboardingProfile): BusinessValues => ({
  activities: profile.activities,
  main: profile.activities[0] ?? '',
  company_number: profile.company_number ?? '',
  sites: profile.sites.map(({ name, address: { country: _country, county, ...address } }) => ({
    name,
    address: { ...address, county: county ?? '' },
  })),
  licence_number: profile.licence_number ?? '',
  licence_council: profile.licence_council ?? '',
  licence_expires_at: profile.licence_expires_at ? lastDayOf(new Date(profile.licence_expires_at)) : '',
  waste_carrier_number: profile.waste_carrier_number ?? '',
})

/** The main activity first; one that is no longer ticked is not the main one. */
export function bodyOf({ activities, main, sites, ...said }: BusinessValues) {
  return {
    ...said,
    activities: activities.toSorted((one, other) => Number(other === main) - Number(one === main)),
    sites: sites.flatMap(({ name, address }) => (address ? { name, address } : [])),
  }
}

/** Where the server's error is shown: any line of an address under the address. */
export function problemOf(key: string, message: string) {
  if (key.startsWith('activities')) return { name: 'activities', message }
  const [site] = /^sites\.\d+\.address/.exec(key) ?? []
  return site ? { name: site, message: sentences.addressInvalid } : { name: key, message }
}
