/**
 * SPEC §2: every place of the web app, by route name. The browser's router, the guard (domain/navigation.ts) and the
 * server (which answers 404 to any other path) read this one table. `{x}` stands for one part of the path.
 */
export const places = {
  dashboard: { path: '/', auth: false },
  register: { path: '/register', auth: false },
  download: { path: '/download', auth: false },
  login: { path: '/login', auth: false },
  'forgot-password': { path: '/forgot-password', auth: false },
  'reset-password': { path: '/reset-password', auth: false },
  'verify-email': { path: '/verify-email', auth: false },
  preregistration: { path: '/preregistration', auth: false },
  'provider-return': { path: '/stripe/return', auth: false },
  'provider-reauth': { path: '/stripe/reauth', auth: false },
  onboarding: { path: '/onboarding', auth: false },
  'restore-account': { path: '/restore-account', auth: false },
  privacy: { path: '/privacy', auth: false },
  terms: { path: '/terms', auth: false },
  account: { path: '/account', auth: true },
  'account-view-edit': { path: '/account/view-edit', auth: true },
  'account-change-password': { path: '/account/change-password', auth: true },
  'account-merchant-documents': { path: '/account/merchant-documents', auth: true },
  'account-subscriptions': { path: '/account/subscriptions', auth: true },
  'account-notification-preferences': { path: '/account/notification-preferences', auth: true },
  'account-material-preferences': { path: '/account/material-preferences', auth: true },
  listings: { path: '/listings', auth: false },
  listing: { path: '/listings/{id}', auth: false },
  'my-listings': { path: '/my-listings', auth: true },
  sell: { path: '/my-listings/new', auth: true },
  'my-listing': { path: '/my-listings/{id}', auth: true },
  'edit-listing': { path: '/my-listings/{id}/edit', auth: true },
  activity: { path: '/activity', auth: true },
  'activity-listing': { path: '/activity/{id}', auth: true },
  market: { path: '/market', auth: true },
} as const satisfies Record<string, { path: `/${string}`; auth: boolean }>

export type Place = keyof typeof places

const patterns = Object.entries(places).map(([name, { path }]) => ({
  name: name as Place,
  pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}/?$`),
}))

export const placeOf = (pathname: string): Place | undefined => patterns.find(({ pattern }) => pattern.test(pathname))?.name
