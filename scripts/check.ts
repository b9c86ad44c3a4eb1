import pg from 'pg'
import { findViolations } from '#database/check.ts'
import { onConfiguredDatabase } from '#scripts/configured-database.ts'

// npm run check: what must always hold, on any database. Prints what is broken: nothing.

await onConfiguredDatabase(async (url) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const violations = await findViolations(client)
    for (const { rule, rows } of violations) console.log(`✗ ${rule}\n${JSON.stringify(rows.slice(0, 20), null, 2)}`)
    if (violations.length === 0) console.log('Everything holds.')
    process.exitCode = violations.length > 0 ? 1 : 0
  } finally {
    await client.end()
  }
})
