import { places, type Place } from '#contract/values/places.ts'

/** What the guard needs to know of a signed-in user. */
export type Traveller = {
  onboarded: boolean
  is_using_temporary_password: boolean
  permissions: { market_view_enquiry: { enabled: boolean } }
  deletion: unknown
}

type Rule = { when: (place: Place, user: Traveller | null) => boolean; to: (user: Traveller | null) => Place }

const needsLogin = (place: Place) => places[place].auth !== false
const needsOnboarding = (place: Place) => places[place].auth === 'onboarded'
const mayViewEnquiries = (user: Traveller | null) => user?.permissions.market_view_enquiry.enabled === true
const marketOrDashboard = (user: Traveller | null): Place => (mayViewEnquiries(user) ? 'market' : 'dashboard')
const dashboardOrMarket = (user: Traveller | null): Place => (mayViewEnquiries(user) ? 'dashboard' : 'market')

// Outside the rules of SPEC §2: a deleted account may be restored or left and nothing else; the open information
// pages show themselves to everybody.
const stays: readonly Place[] = ['privacy', 'terms', 'download']
// a temporary password keeps these open too: they are reached by the link of an email
const opensByLink: readonly Place[] = ['reset-password', 'verify-email', 'undo-email-change']
const changesPassword: Place = 'account-change-password'

/** SPEC §2 "Navigation rules", in its order; the first that applies decides the next step. */
export const navigationRules: readonly Rule[] = [
  // A deleted account can only be restored
  {
    when: (place, user) => user?.deletion != null && place !== 'restore-account' && !stays.includes(place),
    to: () => 'restore-account',
  },
  // There is nothing to restore on an account that is not deleted
  {
    when: (place, user) => place === 'restore-account' && user?.deletion == null,
    to: (user) => (user ? 'dashboard' : 'login'),
  },
  // The payment provider sends people back to register
  {
    when: (place) => place === 'provider-return' || place === 'provider-reauth',
    to: () => 'register',
  },
  // A user who must update the password goes to change-password from everywhere, not on auth routes alone: SPEC §4 lets a temporary
  // password do nothing else, and the calls of every other page are refused
  {
    when: (place, user) =>
      user?.is_using_temporary_password === true &&
      user.deletion == null &&
      place !== changesPassword &&
      ![...stays, ...opensByLink].includes(place),
    to: () => changesPassword,
  },
  // Auth route: a user who has not finished onboarding goes to register, and so to onboarding
  {
    when: (place, user) => needsOnboarding(place) && user?.onboarded === false,
    to: () => 'onboarding',
  },
  // Auth route or account page: a visitor goes to login
  {
    when: (place, user) => needsLogin(place) && user === null,
    to: () => 'login',
  },
  // Login with unfinished onboarding goes to onboarding
  {
    when: (place, user) => place === 'login' && user?.onboarded === false,
    to: () => 'onboarding',
  },
  // Login or register when fully onboarded goes to market or dashboard
  {
    when: (place, user) => (place === 'login' || place === 'register') && user?.onboarded === true,
    to: marketOrDashboard,
  },
  // Onboarding when unauthenticated goes to register
  {
    when: (place, user) => place === 'onboarding' && user === null,
    to: () => 'register',
  },
  // Onboarding when complete goes to dashboard or market
  {
    when: (place, user) => place === 'onboarding' && user?.onboarded === true,
    to: dashboardOrMarket,
  },
  // Register when authenticated goes to dashboard or market
  {
    when: (place, user) => place === 'register' && user !== null,
    to: dashboardOrMarket,
  },
  // Dashboard for a user who has not finished onboarding goes to onboarding
  {
    when: (place, user) => place === 'dashboard' && user?.onboarded === false,
    to: () => 'onboarding',
  },
  // The account area opens on its first page
  { when: (place) => place === 'account', to: () => 'account-view-edit' },
]

/** Where a visit ends: each rule is a step, and a visit settles where no rule applies any more. */
export function settle(place: Place, user: Traveller | null): Place {
  const rule = navigationRules.find(({ when }) => when(place, user))
  return rule ? settle(rule.to(user), user) : place
}

/** After login: temporary password first, then the page a guard sent the user away from, else market or dashboard. */
export function afterLogin(user: Traveller, remembered: Place | undefined): Place {
  if (user.is_using_temporary_password) return settle(changesPassword, user)
  return settle(remembered ?? marketOrDashboard(user), user)
}
