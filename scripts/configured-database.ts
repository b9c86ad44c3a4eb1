import { userInfo } from 'node:os'
import path from 'node:path'
import { startPostgres } from '#database/embedded/postgres.ts'
import { commandTrail } from '#server/db/audit.ts'
import { environment, readConfig, type Config } from '#server/config.ts'

/** Where commands write down what they do, and who ran them. */
export const audit = commandTrail(`command line: ${userInfo().username}`)

/** Runs a command on the database that the configuration names: a product that runs is joined, one that does not is not kept running. */
export async function onConfiguredDatabase(work: (url: string, config: Config) => Promise<void>): Promise<void> {
  try {
    const config = readConfig(environment())
    const embedded = config.databaseUrl ? undefined : await startPostgres({ dir: path.join(config.dataDir, 'pg') })
    try {
      await work(config.databaseUrl ?? embedded?.url ?? '', config)
    } finally {
      if (embedded && !embedded.adopted) await embedded.stop()
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
