import type { Work } from '#sandbox/stripe/route.ts'

/** What happens by itself when the clock passes it. */
export type Duty = (work: Work) => Promise<void>

// billing adds settleBilling here
export const duties: Duty[] = []
