/** SPEC §2 and RULES §2, by index. */
export const onboardingStages = ['Your business', 'Get paid', 'Benefits', 'Subscription', 'Scrap dealer license'] as const

export const MOST_SITES = 10
export const LICENCE_NUMBER_MAX = 60
