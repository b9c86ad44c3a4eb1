const EVERY_MS = 700
const FOR_MS = 9_000

/**
 * The provider tells our server of a confirmation a moment after it told the browser: asks until the server knows, for a few
 * seconds. A question that fails is asked again.
 */
export async function untilKnown(isKnown: () => Promise<boolean>): Promise<boolean> {
  const end = performance.now() + FOR_MS
  do {
    if (await isKnown().catch(() => false)) return true
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
  } while (performance.now() < end)
  return false
}
