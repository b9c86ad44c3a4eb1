import { migrate } from '#database/migrate.ts'
import { audit, onConfiguredDatabase } from '#scripts/configured-database.ts'
import { openDatabase } from '#server/db/db.ts'
import { actAsAdmin, adminActs } from '#server/features/account/admin.ts'

// npm run admin -- suspend jo@smithmetals.co.uk 'unpaid invoices'

const [act, email, ...reason] = process.argv.slice(2)
if (!act || !email) {
  console.log('npm run admin -- ACT EMAIL [REASON]\n')
  for (const [name, { does }] of Object.entries(adminActs)) console.log(`  ${name.padEnd(20)} ${does}`)
  process.exit(2)
}

await onConfiguredDatabase(async (url) => {
  await migrate(url)
  const db = openDatabase(url, 1)
  try {
    console.log(await actAsAdmin(db, { act, email, reason: reason.join(' '), audit }))
  } finally {
    await db.destroy()
  }
})
