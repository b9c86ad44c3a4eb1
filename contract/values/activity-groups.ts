/** Groups of one's own listings. `waiting` gathers from all of them what waits for the owner. */
export const ownGroups = {
  waiting: 'Waiting for you',
  running: 'Running',
  sold: 'Sold',
  unsold: 'Unsold',
  done: 'Done',
} as const
export type OwnGroup = keyof typeof ownGroups

/** Groups of what somebody bid on, won, was offered or watches; `waiting` gathers what waits for the bidder. */
export const activityGroups = {
  waiting: 'Waiting for you',
  bidding: 'Bidding',
  won: 'Won',
  offered: 'Offered',
  watching: 'Watching',
  lost: 'Ended',
  done: 'Done',
} as const
export type ActivityGroup = keyof typeof activityGroups
