// SPEC §3 business types and RULES §2 business activities.

export const businessTypes = { company: 'Company', individual: 'Individual' } as const
export type BusinessType = keyof typeof businessTypes

export const businessActivities = {
  scrap_metal_dealer: { label: 'Scrap metal dealer', side: 'merchant' },
  scrap_metal_collector: { label: 'Scrap metal collector', side: 'merchant' },
  waste_collector: { label: 'Waste collector', side: 'merchant' },
  motor_salvage: { label: 'Motor salvage', side: 'merchant' },
  metal_processor: { label: 'Metal processor', side: 'merchant' },
  demolition: { label: 'Demolition', side: 'merchant' },
  skip_hire: { label: 'Skip hire', side: 'merchant' },
  broker: { label: 'Broker', side: 'merchant' },
  electrician: { label: 'Electrician', side: 'trade' },
  plumber: { label: 'Plumber', side: 'trade' },
  roofer: { label: 'Roofer', side: 'trade' },
  builder: { label: 'Builder', side: 'trade' },
  engineering: { label: 'Engineering', side: 'trade' },
  facilities: { label: 'Facilities', side: 'trade' },
  other: { label: 'Other', side: 'merchant' },
} as const satisfies Record<string, { label: string; side: 'merchant' | 'trade' }>

export type BusinessActivity = keyof typeof businessActivities

/** SPEC §4: these two are checked before their account opens, so they are not logged in by signing up. */
const checkedFirst: readonly BusinessActivity[] = ['scrap_metal_collector', 'waste_collector']

export const isCheckedFirst = (activity: BusinessActivity | null | undefined): boolean =>
  activity != null && checkedFirst.includes(activity)
