import { useEffect, useState } from 'react'
import { refreshEveryMs, timeLeftMs } from '#domain/listings/countdown.ts'

// API.md: every answer about time carries server_time, so that countdowns do not trust the visitor's clock.
let aheadMs = 0

export function hearServerTime(server_time: string): void {
  aheadMs = Date.parse(server_time) - Date.now()
}

export const serverNow = (): Date => new Date(Date.now() + aheadMs)

const MINUTE_MS = 60_000
// a timer may fire a little early: the minute must have passed when it does
const MARGIN_MS = 30

/** By the server's clock; refreshed when the shown minute changes, every second in the last minutes (SPEC §9). */
export function useTimeLeftMs(expires_at: string): number {
  const [now, setNow] = useState(serverNow)
  const leftMs = timeLeftMs(new Date(expires_at), now)

  useEffect(() => {
    const left = timeLeftMs(new Date(expires_at), now)
    if (left <= 0) return
    const timer = setTimeout(() => setNow(serverNow()), Math.min(refreshEveryMs(left), (left % MINUTE_MS) + MARGIN_MS))
    return () => clearTimeout(timer)
  }, [expires_at, now])
  return leftMs
}

/** By the server's clock, at the moment of asking. */
export const hasEnded = (expires_at: string): boolean => timeLeftMs(new Date(expires_at), serverNow()) <= 0
