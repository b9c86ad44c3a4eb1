import type { FunctionComponent } from 'react'
import type { Place } from '#contract/values/places.ts'
import DashboardPage from '#web/pages/dashboard/dashboard.tsx'

export type Layout = 'main' | 'listings' | 'own' | 'activity' | 'market' | 'messages' | 'account' | 'plain'
export type PageFile = { default: FunctionComponent }
type PageRow = { title: string; layout: Layout } & ({ load: () => Promise<PageFile> } | { component: FunctionComponent })

/** The frame draws the list itself, and a listing stands beside it; or the guard sends everybody on from here. */
const NothingBeside = () => null

/** One file has all of its pages, and their titles: nobody else has to load them. */
const backOffice: PageRow = { title: 'Back office', layout: 'main', load: () => import('#web/pages/admin/back-office.tsx') }

const backFromProvider: PageRow = {
  title: 'Back from Stripe',
  layout: 'plain',
  load: () => import('#web/pages/entry/back-from-provider.tsx'),
}

/** The page of every place in contract/values/places.ts: its title, its frame and its file, loaded when it is visited. */
export const pageTable: Record<Place, PageRow> = {
  dashboard: { title: 'Dashboard', layout: 'main', component: DashboardPage },
  listings: { title: 'Listings', layout: 'listings', component: NothingBeside },
  listing: { title: 'Listing', layout: 'listings', load: () => import('#web/pages/listings/listing.tsx') },
  chat: { title: 'Messages', layout: 'messages', load: () => import('#web/pages/messages/chat.tsx') },
  messages: { title: 'Messages', layout: 'messages', component: NothingBeside },
  'my-listings': { title: 'My listings', layout: 'own', component: NothingBeside },
  sell: { title: 'List goods', layout: 'main', load: () => import('#web/pages/trade/sell.tsx') },
  'my-listing': { title: 'My listing', layout: 'own', load: () => import('#web/pages/listings/listing.tsx') },
  'edit-listing': { title: 'Edit listing', layout: 'main', load: () => import('#web/pages/trade/edit-listing.tsx') },
  'activity-listing': { title: 'Activity', layout: 'activity', load: () => import('#web/pages/listings/listing.tsx') },
  activity: { title: 'Activity', layout: 'activity', component: NothingBeside },
  market: { title: 'Market', layout: 'market', component: NothingBeside },
  'market-search': { title: 'Market', layout: 'market', component: NothingBeside },
  'market-mine': { title: 'Your enquiries', layout: 'market', component: NothingBeside },
  'market-listing': { title: 'Enquiry', layout: 'market', load: () => import('#web/pages/market/enquiry.tsx') },
  'market-conversations': { title: 'Conversations', layout: 'market', component: NothingBeside },
  'market-conversation': { title: 'Conversation', layout: 'market', load: () => import('#web/pages/market/conversation.tsx') },
  'market-new': { title: 'Post an enquiry', layout: 'main', load: () => import('#web/pages/market/post.tsx') },
  'market-edit': { title: 'Edit enquiry', layout: 'main', load: () => import('#web/pages/market/post.tsx') },
  download: { title: 'Get the app', layout: 'main', load: () => import('#web/pages/about/download.tsx') },
  privacy: { title: 'Privacy policy', layout: 'main', load: () => import('#web/pages/about/privacy.tsx') },
  terms: { title: 'Terms and conditions', layout: 'main', load: () => import('#web/pages/about/terms.tsx') },

  register: { title: 'Sign up', layout: 'plain', load: () => import('#web/pages/entry/register.tsx') },
  preregistration: { title: 'What does your business do?', layout: 'plain', load: () => import('#web/pages/entry/preregistration.tsx') },
  login: { title: 'Log in', layout: 'plain', load: () => import('#web/pages/entry/login.tsx') },
  'forgot-password': { title: 'Forgot password', layout: 'plain', load: () => import('#web/pages/entry/forgot-password.tsx') },
  'reset-password': { title: 'Choose a new password', layout: 'plain', load: () => import('#web/pages/entry/reset-password.tsx') },
  'undo-email-change': {
    title: 'Keep your email address',
    layout: 'plain',
    load: () => import('#web/pages/entry/undo-email-change.tsx'),
  },
  'verify-email': { title: 'Confirm your email', layout: 'plain', load: () => import('#web/pages/entry/verify-email.tsx') },
  onboarding: { title: 'Set up your account', layout: 'plain', load: () => import('#web/pages/entry/onboarding.tsx') },
  'restore-account': { title: 'Restore your account', layout: 'plain', load: () => import('#web/pages/entry/restore-account.tsx') },
  'provider-return': backFromProvider,
  'provider-reauth': backFromProvider,

  account: { title: 'Account', layout: 'account', component: NothingBeside },
  'account-view-edit': { title: 'Your details', layout: 'account', load: () => import('#web/pages/account/view-edit.tsx') },
  'account-change-password': { title: 'Change password', layout: 'account', load: () => import('#web/pages/account/change-password.tsx') },
  'account-merchant-documents': {
    title: 'Merchant documents',
    layout: 'account',
    load: () => import('#web/pages/account/merchant-documents.tsx'),
  },
  'account-subscriptions': { title: 'Subscription', layout: 'account', load: () => import('#web/pages/account/subscriptions.tsx') },
  'account-notification-preferences': {
    title: 'Notifications',
    layout: 'account',
    load: () => import('#web/pages/account/notification-preferences.tsx'),
  },
  notifications: { title: 'Notifications', layout: 'main', load: () => import('#web/pages/account/notifications.tsx') },
  'account-material-preferences': {
    title: 'Materials',
    layout: 'account',
    load: () => import('#web/pages/account/material-preferences.tsx'),
  },

  admin: backOffice,
  'admin-documents': backOffice,
  'admin-document': backOffice,
  'admin-audit': backOffice,
}
