import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

/**
 * One app per data folder: the files, the sandbox and the clock beside the embedded database belong to one process.
 * The lock is the session's: end the client, or die, and it is free. On refusal leave the database running, it is the other's.
 */
export async function holdExclusively(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: 'yardbid: holds the data folder' })
  client.on('error', () => {}) // the database stops last, under this session too
  await client.connect()
  const patience = AbortSignal.timeout(LET_GO_WITHIN_MS)
  for (;;) {
    const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [LOCK])
    if (rows[0]?.held) return client
    if (patience.aborted) break
    await pause(50)
  }
  await client.end()
  throw new Error('Another Yardbid is already running with this data folder. Stop it, or choose another folder by DATA_DIR.')
}

const LOCK = 7_261_001

// a killed app's session ends when its server process notices, which is a moment later
const LET_GO_WITHIN_MS = 2_000
