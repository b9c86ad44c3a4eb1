import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { findWebKit } from '#scripts/browsers/webkit.ts'
import { scratchFolder } from '#tests/support/files/scratch.ts'
import { freePort } from '#tests/support/processes/product.ts'
import { openWindow, type Window } from '#tests/second-engine/webdriver.ts'

/** WebKit with a window of its own, and a way to end it with all its processes. */
export async function startWebKit(): Promise<{ window: Window; stop: () => Promise<void> }> {
  const webKit = await findWebKit()
  if ('unavailable' in webKit) throw new Error(`WebKit is not available on this machine: ${webKit.unavailable}`)
  const home = await scratchFolder('webkit')
  const groups: ChildProcess[] = []
  const start = (env: Record<string, string>, ...command: [string, ...string[]]) => {
    const child = startGroup(webKit.commandFor(...command), { ...env, HOME: home, PATH: process.env['PATH'] ?? '' })
    groups.push(child)
    return child
  }
  try {
    const display = await displayOf(start({}, 'Xvfb', '-displayfd', '1', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'))
    const port = await freePort()
    // no session bus: nothing of a desktop is there to be asked
    start({ DISPLAY: display, DBUS_SESSION_BUS_ADDRESS: 'disabled:', LANG: 'C.UTF-8' }, 'WebKitWebDriver', `--port=${port}`)
    const window = await openWindow(await driverAt(`http://127.0.0.1:${port}`))
    return { window, stop: () => window.close().finally(() => endGroups(groups)) }
  } catch (error) {
    await endGroups(groups)
    throw error
  }
}

/** The display last. */
async function endGroups(groups: ChildProcess[]): Promise<void> {
  for (const child of groups.toReversed()) {
    const closed = once(child, 'close')
    endGroup(child)
    await closed
  }
}

// a group of its own: the browser's processes are the driver's children, and end with it
function startGroup([command, args]: [string, string[]], env: Record<string, string>): ChildProcess {
  const child = spawn(command, args, { env, detached: true, stdio: ['ignore', 'pipe', 'inherit'] })
  process.once('exit', () => endGroup(child))
  return child
}

function endGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGTERM')
}

/** Xvfb takes the first free number and says which. */
async function displayOf(xvfb: ChildProcess): Promise<string> {
  const ended = once(xvfb, 'close').then(() => Promise.reject(new Error('Xvfb ended without a display')))
  const [said] = await Promise.race([once(xvfb.stdout ?? xvfb, 'data'), ended])
  return `:${String(said).trim()}`
}

const DRIVER_WITHIN_MS = 20_000

async function driverAt(address: string): Promise<string> {
  const givenUpAt = performance.now() + DRIVER_WITHIN_MS
  for (;;) {
    const isUp = await fetch(`${address}/status`).then(
      ({ ok }) => ok,
      (error: unknown) => {
        if (performance.now() > givenUpAt) throw error
        return false
      },
    )
    if (isUp) return address
    await pause(50)
  }
}
