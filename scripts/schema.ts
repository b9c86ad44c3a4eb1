import { execFileSync } from 'node:child_process'
import { freshDatabase } from '#tests/support/processes/postgres.ts'

// database/schema.gen.ts from the migrations: `npm run schema` writes it, `npm run schema -- --verify` says whether it is current.

const database = await freshDatabase()
try {
  execFileSync(
    'kysely-codegen',
    [
      '--dialect',
      'postgres',
      '--date-parser',
      'string',
      '--out-file',
      'database/schema.gen.ts',
      '--url',
      database.url,
      ...process.argv.slice(2),
    ],
    { stdio: 'inherit' },
  )
} finally {
  await database.drop()
}
