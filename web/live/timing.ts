// SPEC §9: how often the browser asks for notifications, when its user counts as idle, and when a leading tab counts as dead.

export const POLL_EVERY_MS = 30_000
/** One poll and 2 s: a leading tab that missed a single poll is dead. */
export const STALE_AFTER_MS = POLL_EVERY_MS + 2_000
export const STALE_CHECK_EVERY_MS = 1_000
export const IDLE_AFTER_MS = 300_000
export const IDLE_CHECK_EVERY_MS = 5_000

/** How often the leading tab says that it is alive. */
export const BEAT_EVERY_MS = 5_000
/** While no price arrives live, pages ask for them. */
export const PRICES_EVERY_MS = 15_000
