import type { Answer } from '#tests/support/client.ts'
import type { World } from '#tests/simulation/world.ts'

/** Nobody may be surprised by these: somebody else was faster, the provider is away, or it was asked too often. */
const mayHappen = [409, 429, 503]

/** Whether what was asked was done. An answer that must never come is a fault of the product. */
export function isAccepted(world: World, what: string, { status, body }: Answer): boolean {
  if (status === 200) return true
  const said = `${what}: ${status} ${body?.code ?? ''} ${body?.message ?? ''}`
  if (!mayHappen.includes(status)) world.faults.push(`${said} ${JSON.stringify(body?.errors ?? {})}`)
  else world.refusals.set(said, (world.refusals.get(said) ?? 0) + 1)
  return false
}
