import { emptySell, type SellValues } from '#web/features/sell/sell-values.ts'

// by seller: whoever logs in next in this tab begins with an empty form
const keyOf = (sellerId: string) => `sell-draft-${sellerId}`

/** Nothing typed and nothing uploaded is lost on a reload; the draft ends with the tab. */
export function saveSellDraft(sellerId: string, values: SellValues): void {
  try {
    sessionStorage.setItem(keyOf(sellerId), JSON.stringify(values))
  } catch {
    // storage is switched off: the page itself still holds what was typed
  }
}

export function readSellDraft(sellerId: string): SellValues {
  try {
    return { ...emptySell, ...(JSON.parse(sessionStorage.getItem(keyOf(sellerId)) ?? '{}') as Partial<SellValues>) }
  } catch {
    return emptySell
  }
}

export function clearSellDraft(sellerId: string): void {
  try {
    sessionStorage.removeItem(keyOf(sellerId))
  } catch {
    // nothing was kept
  }
}
