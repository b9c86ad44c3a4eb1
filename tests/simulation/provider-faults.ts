import { faults, noFaults } from '#tests/support/payments/paying.ts'
import type { World } from '#tests/simulation/world.ts'

// What the provider does wrong while deals are played: slow, failing, answers lost, events doubled, reordered, refused and lost.

const kinds = [
  { slow_ms: 30, times: 10 },
  { fail: 'before', times: 2 },
  { fail: 'after', times: 2 },
  { fail: 'after', status: 'drop', times: 2 },
  { fail: 'before', status: 429, times: 2 },
  { webhooks: { duplicate: true } },
  { webhooks: { duplicate: 5, reorder: true } },
  { webhooks: { fail: 3 } },
  { webhooks: { lose: 2 } },
] as const

/** Runs the work while the provider is at fault, or not. */
export async function withFaults(world: World, work: () => Promise<void>): Promise<void> {
  const fault = world.random.between(1, 2) === 1 ? world.random.oneOf(kinds) : undefined
  if (!fault) return work()
  await faults(world.yard, { path: '/v1/', ...fault })
  try {
    await work()
  } finally {
    await noFaults(world.yard)
  }
}
