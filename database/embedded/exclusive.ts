import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { destroy } from '#database/deadlines.ts'

export type Hold = { end(): Promise<void> }

type Options = {
  /** Called while the database cannot be reached, before each further try. */
  revive?: () => Promise<void>
  /** Another process has taken the folder while the database was away. */
  onTaken?: (error: Error) => void
}

const LOCK = 7_261_001
const HEARTBEAT_EVERY_MS = 2_000
const ANSWER_WITHIN_MS = 5_000
const AGAIN_AFTER_MS = 500
// a killed app's session ends when its server process notices, which is a moment later
const LET_GO_WITHIN_MS = 2_000

/**
 * One app per data folder: the files, the sandbox and the clock beside the embedded database belong to one process.
 * The lock is the session's: end the hold, or die, and it is free. On refusal leave the database running, it is the other's.
 * A session that is lost loses the lock: that is noticed at the next heartbeat, and the lock is taken again.
 */
export async function holdExclusively(url: string, { revive, onTaken }: Options = {}): Promise<Hold> {
  const name = `yardbid: holds the data folder ${randomUUID().slice(0, 8)}`
  let client = await takeLock(url, name)
  let isEnded = false
  let wake = () => {}

  async function keep(): Promise<void> {
    while (!isEnded) {
      const woken = new Promise<void>((resolve) => (wake = resolve))
      const isThere = await client.query('select 1').then(
        () => true,
        () => false,
      )
      if (!isThere && !isEnded) await takeAgain()
      if (!isEnded) await Promise.race([woken, pause(HEARTBEAT_EVERY_MS, undefined, { ref: false })])
    }
  }

  async function takeAgain(): Promise<void> {
    destroy(client)
    try {
      await revive?.()
      client = await takeLock(url, name)
    } catch (error) {
      if (error instanceof FolderTaken) {
        isEnded = true
        onTaken?.(error)
      } else await pause(AGAIN_AFTER_MS)
    }
  }

  const keeping = keep()
  return {
    async end() {
      isEnded = true
      // without a farewell, which a frozen database would not answer
      destroy(client)
      wake()
      await keeping
      destroy(client)
    },
  }
}

async function takeLock(url: string, name: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: ANSWER_WITHIN_MS,
    query_timeout: ANSWER_WITHIN_MS,
  })
  client.on('error', () => {}) // the database stops last, under this session too
  try {
    await client.connect()
    // an earlier session of this very process, which the database has not noticed to be gone
    await client.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1 and pid <> pg_backend_pid()', [
      name,
    ])
    const patience = AbortSignal.timeout(LET_GO_WITHIN_MS)
    for (;;) {
      const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [LOCK])
      if (rows[0]?.held) return client
      if (patience.aborted) throw new FolderTaken()
      await pause(50)
    }
  } catch (error) {
    destroy(client)
    throw error
  }
}

class FolderTaken extends Error {
  constructor() {
    super('Another Yardbid is already running with this data folder. Stop it, or choose another folder by DATA_DIR.')
  }
}
