import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import type { IssuedKind, PrintedPaper } from '#domain/papers/printed-paper.ts'
import type { Db } from '#server/db/db.ts'
import { drawPaper } from '#server/features/papers/draw.ts'
import type { JobHandlers } from '#server/jobs/worker.ts'
import type { FileStore } from '#server/providers/files.ts'

export type PaperDeps = { db: Db; files: FileStore }

export type PaperRow = {
  id: string
  kind: IssuedKind
  number: string | null
  data: PrintedPaper
  sha256: Buffer | null
}

export const paperJobs = (deps: PaperDeps): Pick<JobHandlers, 'draw_paper'> => ({
  async draw_paper({ paper_id }) {
    const paper = await findPaper(deps.db, paper_id)
    if (paper) await readPdf(deps, paper)
  },
})

export async function findPaper(db: Db, id: string): Promise<PaperRow | undefined> {
  const row = await db.selectFrom('papers').select(['id', 'kind', 'number', 'data', 'sha256']).where('id', '=', id).executeTakeFirst()
  return row as PaperRow | undefined
}

/**
 * The PDF of a paper: drawn once, by whoever asks first, and the same bytes from then on. The file's name holds its hash, so that of two
 * who draw at once each writes a file of its own, and the row says which one counts.
 */
export async function readPdf(deps: PaperDeps, paper: PaperRow): Promise<Buffer> {
  if (paper.sha256) return readDrawn(deps, paper, paper.sha256)
  const pdf = await drawPaper(paper.data)
  const sha256 = hashOf(pdf)
  await store(deps.files, paper.id, sha256, pdf)
  const { numUpdatedRows } = await deps.db
    .updateTable('papers')
    .set({ sha256, bytes: pdf.length, drawn_at: sql<Date>`app_now()` })
    .where('id', '=', paper.id)
    .where('sha256', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) return pdf
  const drawn = await findPaper(deps.db, paper.id)
  if (!drawn?.sha256) throw new Error(`paper ${paper.id} is not there`)
  return readDrawn(deps, drawn, drawn.sha256)
}

/** A file that was lost is drawn again from what is stored; one that differs from what was issued is never handed out. */
async function readDrawn({ files }: PaperDeps, paper: PaperRow, sha256: Buffer): Promise<Buffer> {
  const key = keyOf(paper.id, sha256)
  const isThere = (await files.head(key)) !== undefined
  const pdf = isThere ? await buffer(await files.read(key)) : await drawPaper(paper.data)
  if (!hashOf(pdf).equals(sha256)) throw new Error(`the PDF of paper ${paper.id} is not the one that was issued`)
  if (!isThere) await store(files, paper.id, sha256, pdf)
  return pdf
}

const hashOf = (pdf: Buffer) => createHash('sha256').update(pdf).digest()

// server/features/storage/keys.ts knows these keys: the sweep leaves them as long as their row is there
const keyOf = (id: string, sha256: Buffer) => `papers/${id}/${sha256.toString('hex')}.pdf`

const store = (files: FileStore, id: string, sha256: Buffer, pdf: Buffer) =>
  files.write(keyOf(id, sha256), pdf, {
    contentType: 'application/pdf',
    size: pdf.length,
    disposition: 'attachment',
    cacheControl: 'private, no-store',
  })
