import path from 'node:path'
import pg from 'pg'
import { findViolations } from '#database/check.ts'
import { startPostgres } from '#database/embedded.ts'
import { environment, readConfig } from '#server/config.ts'

// npm run check: what must always hold, on any database. Prints what is broken: nothing.

const config = readConfig(environment())
const embedded = config.databaseUrl ? undefined : await startPostgres({ dir: path.join(config.dataDir, 'pg') })
const client = new pg.Client({ connectionString: config.databaseUrl ?? embedded?.url })
await client.connect()
try {
  const violations = await findViolations(client)
  for (const { rule, rows } of violations) console.log(`✗ ${rule}\n${JSON.stringify(rows.slice(0, 20), null, 2)}`)
  if (violations.length === 0) console.log('Everything holds.')
  process.exitCode = violations.length > 0 ? 1 : 0
} finally {
  await client.end()
  if (embedded && !embedded.adopted) await embedded.stop()
}
