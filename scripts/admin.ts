import { userInfo } from 'node:os'
import path from 'node:path'
import { startPostgres } from '#database/embedded.ts'
import { migrate } from '#database/migrate.ts'
import { environment, readConfig } from '#server/config.ts'
import { openDatabase } from '#server/db.ts'
import { actAsAdmin, adminActs } from '#server/features/account/admin.ts'

// npm run admin -- suspend jo@smithmetals.co.uk 'unpaid invoices'

const [act, email, ...reason] = process.argv.slice(2)
if (!act || !email) {
  console.log('npm run admin -- ACT EMAIL [REASON]\n')
  for (const [name, { does }] of Object.entries(adminActs)) console.log(`  ${name.padEnd(20)} ${does}`)
  process.exit(2)
}

const config = readConfig(environment())
const embedded = config.databaseUrl ? undefined : await startPostgres({ dir: path.join(config.dataDir, 'pg') })
const url = config.databaseUrl ?? embedded?.url ?? ''
await migrate(url)
const db = openDatabase(url, 1)
try {
  console.log(await actAsAdmin(db, { act, email, reason: reason.join(' '), actor: `command line: ${userInfo().username}` }))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await db.destroy()
  if (embedded && !embedded.adopted) await embedded.stop()
}
