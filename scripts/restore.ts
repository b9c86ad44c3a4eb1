import { existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { BackupRefusal, copyTree, insideArchive, interruption, inWords, readManifest, unlessMissing } from '#database/backup/archive.ts'
import { refuseTakenFolder, restoreCluster } from '#database/backup/cluster.ts'
import { restoreDump } from '#database/backup/server-tools.ts'
import { newClient } from '#database/hosts.ts'
import { ensureAppRole } from '#database/migrate.ts'
import { environment, readConfig } from '#server/config.ts'

// npm run restore -- FOLDER    puts a backup into an empty DATA_DIR, or into the empty database of DATABASE_URL

const [given] = process.argv.slice(2)
if (!given) {
  console.log(
    'npm run restore -- FOLDER\n\nPuts a backup into DATA_DIR, which must have no data, or into the empty database of DATABASE_URL.',
  )
  process.exit(2)
}

const signal = interruption('The restore was interrupted. Nothing was kept.')

try {
  const archive = path.resolve(given)
  const { databaseUrl, dataDir, s3 } = readConfig(environment())
  const manifest = await readManifest(archive)
  const needed = databaseUrl ? 'dump' : 'cluster'
  if (manifest.database.kind !== needed)
    throw new BackupRefusal(
      needed === 'dump'
        ? 'This backup is of an embedded PostgreSQL: restore it without DATABASE_URL.'
        : 'This backup is of a database of DATABASE_URL: set DATABASE_URL to an empty one.',
    )
  const uploads = path.join(dataDir, 'files')
  const dir = path.join(dataDir, 'pg')
  if (!databaseUrl) refuseTakenFolder(dir)
  if (((await readdir(uploads).catch(unlessMissing)) ?? []).length > 0)
    throw new BackupRefusal(`${uploads} has uploads already. Move them away, or choose another folder by DATA_DIR.`)

  // the database last: a folder that has one was restored to the end
  try {
    await mkdir(dataDir, { recursive: true })
    if (!s3) await copyTree(insideArchive(archive).uploads, uploads, { signal })
    const secret = path.join(dataDir, 'session-secret')
    if (!existsSync(secret)) await copyFile(insideArchive(archive).secret, secret).catch(unlessMissing)
    if (databaseUrl) await restoreInto(databaseUrl, insideArchive(archive).dump)
    else await restoreCluster({ archive, dir, signal })
  } catch (error) {
    if (!s3) await rm(uploads, { recursive: true, force: true })
    throw inWords(error, dataDir)
  }
  console.log(`Restored what was committed before ${manifest.complete_until}. Now run: npm run check`)
} catch (error) {
  console.error(error instanceof BackupRefusal ? error.message : error)
  process.exitCode = 1
}

async function restoreInto(url: string, file: string): Promise<void> {
  const client = newClient({ connectionString: url })
  client.on('error', () => {}) // a connection that breaks fails its query
  await client.connect()
  try {
    // a dump has no roles: the grants in it need this one
    await ensureAppRole(client)
    await restoreDump({ client, url, file, signal })
  } finally {
    await client.end().catch(() => {})
  }
}
