import { hear, send } from '#web/live/channel.ts'
import { IDLE_AFTER_MS, IDLE_CHECK_EVERY_MS } from '#web/live/timing.ts'

// SPEC §9: a click, a mouse move or a key press in any tab counts for the whole browser.
const signs = ['click', 'mousemove', 'keydown'] as const

const isPast = (activeAt: number) => Date.now() - activeAt >= IDLE_AFTER_MS

export type Activity = { isIdle: () => boolean; stop: () => void }

export function watchActivity({ onReturn }: { onReturn: () => void }): Activity {
  let activeAt = Date.now()
  let isIdle = false
  let isUntold = false

  function note(at: number) {
    activeAt = Math.max(activeAt, at)
    if (!isIdle || isPast(activeAt)) return
    isIdle = false
    onReturn()
  }
  function onSign() {
    // at once to wake the other tabs, else with the next check: a mouse moves a hundred times a second
    if (isIdle) send('active', { at: Date.now() })
    else isUntold = true
    note(Date.now())
  }
  function check() {
    if (isUntold) send('active', { at: activeAt })
    isUntold = false
    isIdle = isPast(activeAt)
  }

  for (const sign of signs) window.addEventListener(sign, onSign, { capture: true, passive: true })
  const stopHearing = hear('active', ({ at }) => note(at))
  const timer = setInterval(check, IDLE_CHECK_EVERY_MS)
  return {
    isIdle: () => isIdle,
    stop() {
      for (const sign of signs) window.removeEventListener(sign, onSign, { capture: true })
      stopHearing()
      clearInterval(timer)
    },
  }
}
