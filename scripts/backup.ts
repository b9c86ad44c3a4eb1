import { existsSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import path from 'node:path'
import { copyTree, insideArchive, interruption, unlessMissing, writeArchive } from '#database/backup/archive.ts'
import { saveCluster } from '#database/backup/cluster.ts'
import { dumpDatabase } from '#database/backup/server-tools.ts'
import { insideFolder } from '#database/embedded/folder.ts'
import { newClient } from '#database/hosts.ts'
import { onConfiguredDatabase } from '#scripts/configured-database.ts'
import { environment, readConfig, type Config } from '#server/config.ts'

// npm run backup -- FOLDER     saves database, uploads and the data folder's secret while the product runs

const [target] = process.argv.slice(2)
if (!target) {
  console.log('npm run backup -- FOLDER\n\nSaves the database, the uploads and the secret of the data folder into a new folder.')
  process.exit(2)
}

const refusal = whyNot(path.resolve(target))
if (refusal) {
  console.error(refusal)
  process.exit(1)
}

const signal = interruption('The backup was interrupted. Nothing was kept.')
const began_at = new Date().toISOString()

await onConfiguredDatabase(async (url, { databaseUrl, dataDir, s3 }) => {
  const client = newClient({ connectionString: url })
  client.on('error', () => {}) // a connection that breaks fails its query
  await client.connect()
  try {
    const manifest = await writeArchive(target, signal, async (draft) => {
      const { uploads, secret, dump } = insideArchive(draft)
      const copyUploads = (isSecondPass: boolean) =>
        copyTree(path.join(dataDir, 'files'), uploads, { signal, isSecondPass, skip: isPartial })
      // before and after the database: a file that a saved row names is there, whether it came or went meanwhile
      if (!s3) await copyUploads(false)
      const kind = databaseUrl ? 'dump' : 'cluster'
      const { postgres, complete_until } =
        kind === 'dump'
          ? await dumpDatabase({ client, url, file: dump, signal })
          : await saveCluster({ client, dir: path.join(dataDir, 'pg'), draft, signal })
      if (!s3) await copyUploads(true)
      await copyFile(path.join(dataDir, 'session-secret'), secret).catch(unlessMissing)
      return { began_at, complete_until, database: { kind, postgres } }
    })
    console.log(`Saved in ${path.resolve(target)}: ${manifest.files} files, ${(manifest.bytes / 1e6).toFixed(1)} MB.`)
    console.log(`Everything that was committed before ${manifest.complete_until} is in it.`)
    if (s3) console.log('Uploads are in the bucket of S3_BUCKET and not in this backup: copy or version the bucket too.')
  } finally {
    await client.end().catch(() => {})
  }
})

/** Before anything is started: a database that is not there would be made. */
function whyNot(folder: string): string | undefined {
  let config: Config
  try {
    config = readConfig(environment())
  } catch {
    return undefined // said below, with everything that is wrong
  }
  const { databaseUrl, dataDir } = config
  if (!path.relative(dataDir, folder).startsWith('..'))
    return `${folder} is inside of ${dataDir}, which is to be saved. Name a folder elsewhere.`
  if (!databaseUrl && !existsSync(insideFolder(path.join(dataDir, 'pg')).cluster))
    return `There is no database in ${dataDir}. Name its folder by DATA_DIR.`
  return undefined
}

// uploads that are being received
function isPartial(name: string): boolean {
  return name === 'partial'
}
