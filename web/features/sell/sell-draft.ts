import type { SellValues } from '#web/features/sell/sell-values.ts'

// by seller, or by the listing that is edited: whoever logs in next in this tab begins with an empty form
const keyOf = (draft: string) => `sell-draft-${draft}`

/** Nothing typed and nothing uploaded is lost on a reload; the draft ends with the tab. */
export function saveSellDraft(draft: string, values: SellValues): void {
  try {
    sessionStorage.setItem(keyOf(draft), JSON.stringify(values))
  } catch {
    // storage is switched off: the page itself still holds what was typed
  }
}

export function readSellDraft(draft: string, otherwise: SellValues): SellValues {
  try {
    return { ...otherwise, ...(JSON.parse(sessionStorage.getItem(keyOf(draft)) ?? '{}') as Partial<SellValues>) }
  } catch {
    return otherwise
  }
}

export function clearSellDraft(draft: string): void {
  try {
    sessionStorage.removeItem(keyOf(draft))
  } catch {
    // nothing was kept
  }
}
