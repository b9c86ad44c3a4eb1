/**
 * SPEC §2: every place of the web app, by route name. The browser's router, the guard (domain/navigation.ts) and the
 * server (which answers 404 to any other path) read this one table. `{x}` stands for one part of the path. `auth` says
 * what a visit needs: nothing, a login (RULES §1: account pages), or a login and a finished onboarding (SPEC's auth routes).
 */
export const places = {
  dashboard: { path: '/', auth: false },
  register: { path: '/register', auth: false },
  download: { path: '/download', auth: false },
  login: { path: '/login', auth: false },
  'forgot-password': { path: '/forgot-password', auth: false },
  'reset-password': { path: '/reset-password', auth: false },
  'undo-email-change': { path: '/undo-email-change', auth: false },
  'verify-email': { path: '/verify-email', auth: false },
  preregistration: { path: '/preregistration', auth: false },
  'provider-return': { path: '/stripe/return', auth: false },
  'provider-reauth': { path: '/stripe/reauth', auth: false },
  onboarding: { path: '/onboarding', auth: false },
  'restore-account': { path: '/restore-account', auth: false },
  privacy: { path: '/privacy', auth: false },
  terms: { path: '/terms', auth: false },
  account: { path: '/account', auth: 'login' },
  'account-view-edit': { path: '/account/view-edit', auth: 'login' },
  'account-change-password': { path: '/account/change-password', auth: 'login' },
  'account-merchant-documents': { path: '/account/merchant-documents', auth: 'login' },
  'account-subscriptions': { path: '/account/subscriptions', auth: 'onboarded' },
  'account-notification-preferences': { path: '/account/notification-preferences', auth: 'login' },
  'account-material-preferences': { path: '/account/material-preferences', auth: 'login' },
  notifications: { path: '/notifications', auth: 'login' },
  listings: { path: '/listings', auth: false },
  listing: { path: '/listings/{id}', auth: false },
  chat: { path: '/listings/{id}/chat/{user_id}', auth: 'onboarded' },
  messages: { path: '/messages', auth: 'onboarded' },
  'my-listings': { path: '/my-listings', auth: 'onboarded' },
  sell: { path: '/my-listings/new', auth: 'onboarded' },
  'my-listing': { path: '/my-listings/{id}', auth: 'onboarded' },
  'edit-listing': { path: '/my-listings/{id}/edit', auth: 'onboarded' },
  activity: { path: '/activity', auth: 'onboarded' },
  'activity-listing': { path: '/activity/{id}', auth: 'onboarded' },
  market: { path: '/market', auth: 'onboarded' },
  'market-new': { path: '/market/new', auth: 'onboarded' },
  'market-mine': { path: '/market/mine', auth: 'onboarded' },
  'market-listing': { path: '/market/listing/{id}', auth: 'onboarded' },
  'market-edit': { path: '/market/listing/{id}/edit', auth: 'onboarded' },
  'market-conversations': { path: '/market/conversation', auth: 'onboarded' },
  'market-conversation': { path: '/market/conversation/{id}', auth: 'onboarded' },
  'market-search': { path: '/market/search/{searchTerm}', auth: 'onboarded' },
  // for members with a role; to every other member the page says that it does not exist
  admin: { path: '/admin', auth: 'login' },
  'admin-documents': { path: '/admin/documents', auth: 'login' },
  'admin-document': { path: '/admin/documents/{id}', auth: 'login' },
  'admin-audit': { path: '/admin/audit', auth: 'login' },
} as const satisfies Record<string, { path: `/${string}`; auth: false | 'login' | 'onboarded' }>

export type Place = keyof typeof places

const patterns = Object.entries(places).map(([name, { path }]) => ({
  name: name as Place,
  pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}/?$`),
}))

export const placeOf = (pathname: string): Place | undefined => patterns.find(({ pattern }) => pattern.test(pathname))?.name
