import { hear, send } from '#web/live/channel.ts'
import { openSeat, type Seat } from '#web/live/seat.ts'
import { BEAT_EVERY_MS, STALE_AFTER_MS, STALE_CHECK_EVERY_MS } from '#web/live/timing.ts'

// One tab of the browser leads: it has the live stream, polls, and tells the other tabs what arrives (SPEC §9). When it closes, the
// next one takes its seat at once; when it falls silent, a visible tab takes it as soon as the silence counts as stale.

/** What only the leading tab does. */
type Duty = {
  start?: () => void
  stop?: () => void
  everySecond?: () => void
  everyBeat?: () => void
}

const duties = new Set<Duty>()
let seat: Seat | undefined
let hasJoined = false
let isLeading = false
let heardAt = Date.now()
let beatAt = 0
let checkedAt = Date.now()

export const isLeader = (): boolean => isLeading

export function takeDuty(duty: Duty): () => void {
  duties.add(duty)
  if (isLeading) duty.start?.()
  void join()
  return () => {
    duties.delete(duty)
    if (isLeading) duty.stop?.()
  }
}

async function join() {
  if (hasJoined) return
  hasJoined = true
  const opened = await openSeat({ onTaken: lead, onLost: follow })
  seat = opened
  hear('beat', () => (heardAt = Date.now()))
  // a hidden tab's timers are slowed down, its messages are not: a visible tab keeps a hidden leader on time
  hear('ping', () => isLeading && work())
  setInterval(check, STALE_CHECK_EVERY_MS)
  window.addEventListener('pagehide', opened.leave)
  window.addEventListener('pageshow', ({ persisted }) => persisted && opened.wait())
  opened.wait()
}

function lead() {
  isLeading = true
  for (const duty of duties) duty.start?.()
  beat()
}

function follow() {
  if (!isLeading) return
  isLeading = false
  heardAt = Date.now()
  for (const duty of duties) duty.stop?.()
}

function work() {
  for (const duty of duties) duty.everySecond?.()
  if (Date.now() - beatAt >= BEAT_EVERY_MS) beat()
}

function beat() {
  beatAt = Date.now()
  send('beat', {})
  for (const duty of duties) duty.everyBeat?.()
}

function check() {
  const now = Date.now()
  // the machine slept: the leader did too, and is not dead
  if (now - checkedAt > BEAT_EVERY_MS) heardAt = now
  checkedAt = now
  if (isLeading) return work()
  if (now - heardAt >= BEAT_EVERY_MS) send('ping', {})
  // hidden tabs wait: slowed down alike, they would take the seat from each other all day
  if (now - heardAt <= STALE_AFTER_MS || document.visibilityState !== 'visible') return
  heardAt = now
  seat?.steal()
}
