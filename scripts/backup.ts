import { copyFile } from 'node:fs/promises'
import path from 'node:path'
import { copyTree, insideArchive, interruption, unlessMissing, writeArchive } from '#database/backup/archive.ts'
import { saveCluster } from '#database/backup/cluster.ts'
import { dumpDatabase } from '#database/backup/server-tools.ts'
import { newClient } from '#database/hosts.ts'
import { onConfiguredDatabase } from '#scripts/configured-database.ts'

// npm run backup -- FOLDER     saves database, uploads and the data folder's secret while the product runs

const [target] = process.argv.slice(2)
if (!target) {
  console.log('npm run backup -- FOLDER\n\nSaves the database, the uploads and the secret of the data folder into a new folder.')
  process.exit(2)
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

// uploads that are being received
function isPartial(name: string): boolean {
  return name === 'partial'
}
