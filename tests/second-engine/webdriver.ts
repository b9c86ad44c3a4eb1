import { setTimeout as pause } from 'node:timers/promises'

// What the tests need of the WebDriver protocol (W3C), spoken by fetch. Elements are named by XPath: WebDriver knows no roles.

/** A browser's only window. */
export type Window = {
  open: (address: string) => Promise<void>
  /** Runs a script in the page; answers what it returns. */
  evaluate: (script: string) => Promise<unknown>
  /** Waits for it. */
  see: (xpath: string) => Promise<void>
  click: (xpath: string) => Promise<void>
  /** In place of what stands there. A file field takes the path of a file. */
  fill: (xpath: string, text: string) => Promise<void>
  close: () => Promise<void>
}

// for a slow machine: what comes at once is seen at once all the same
const SEEN_WITHIN_MS = 20_000
const LOOK_EVERY_MS = 50
// a browser that hangs
const ANSWERED_WITHIN_MS = 60_000
// the protocol's own name for a reference to an element
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'
// what a page that is being drawn answers, and a moment later no more
const passing = ['no such element', 'stale element reference', 'element not interactable', 'element click intercepted']

/** A window of the browser whose driver listens at this address. */
export async function openWindow(driver: string): Promise<Window> {
  const { sessionId } = (await send(driver, 'POST', '/session', { capabilities: {} })) as { sessionId: string }
  const ask = (method: string, path: string, body?: object) => send(driver, method, `/session/${sessionId}${path}`, body)

  /** The first that is not hidden. */
  async function element(xpath: string): Promise<string> {
    const found = (await ask('POST', '/elements', { using: 'xpath', value: xpath })) as Record<string, string>[]
    for (const { [ELEMENT]: id = '' } of found) if (await ask('GET', `/element/${id}/displayed`)) return id
    throw new DriverError('no such element', found.length > 0 ? `${xpath} is hidden` : xpath)
  }

  async function click(xpath: string): Promise<void> {
    const target = await element(xpath)
    // WebKit leaves it where its edge is seen, and then cannot click its middle
    await ask('POST', '/execute/sync', { script: `arguments[0].scrollIntoView({ block: 'center' })`, args: [{ [ELEMENT]: target }] })
    await ask('POST', `/element/${target}/click`, {})
  }

  async function fill(xpath: string, text: string): Promise<void> {
    const field = await element(xpath)
    // typed over: React does not hear of the protocol's own command to clear
    await ask('POST', '/execute/sync', { script: 'arguments[0].select()', args: [{ [ELEMENT]: field }] })
    await ask('POST', `/element/${field}/value`, { text })
  }

  return {
    open: async (address) => void (await ask('POST', '/url', { url: address })),
    evaluate: (script) => ask('POST', '/execute/sync', { script, args: [] }),
    see: (xpath) => untilDone(async () => void (await element(xpath))),
    click: (xpath) => untilDone(() => click(xpath)),
    fill: (xpath, text) => untilDone(() => fill(xpath, text)),
    close: async () => void (await ask('DELETE', '')),
  }
}

async function untilDone(act: () => Promise<void>): Promise<void> {
  const givenUpAt = performance.now() + SEEN_WITHIN_MS
  for (;;) {
    try {
      return await act()
    } catch (error) {
      const isPassing = error instanceof DriverError && passing.includes(error.code)
      if (!isPassing || performance.now() > givenUpAt) throw error
    }
    await pause(LOOK_EVERY_MS)
  }
}

class DriverError extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(`${code}: ${message}`)
    this.code = code
  }
}

async function send(driver: string, method: string, path: string, body?: object): Promise<unknown> {
  const signal = AbortSignal.timeout(ANSWERED_WITHIN_MS)
  const response = await fetch(`${driver}${path}`, { method, signal, ...(body && { body: JSON.stringify(body) }) })
  const { value } = (await response.json()) as { value: unknown }
  if (response.ok) return value
  const { error, message } = value as { error: string; message: string }
  throw new DriverError(error, `${message} (${path} ${JSON.stringify(body)})`)
}
