// What was typed and not sent yet, by a name that holds whose it is: nothing is lost on a reload, and it ends with the tab.

export function saveDraft(name: string, values: unknown): void {
  try {
    sessionStorage.setItem(name, JSON.stringify(values))
  } catch {
    // storage is switched off: the page itself still holds what was typed
  }
}

export function readDraft<T extends object>(name: string, otherwise: T): T {
  try {
    return { ...otherwise, ...(JSON.parse(sessionStorage.getItem(name) ?? '{}') as Partial<T>) }
  } catch {
    return otherwise
  }
}

export function hasDraft(name: string): boolean {
  try {
    return sessionStorage.getItem(name) !== null
  } catch {
    return false
  }
}

export function clearDraft(name: string): void {
  try {
    sessionStorage.removeItem(name)
  } catch {
    // nothing was kept
  }
}
