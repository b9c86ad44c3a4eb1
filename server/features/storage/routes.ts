import type { FastifyInstance, FastifyRequest } from 'fastify'
import { storageEndpoints } from '#contract/storage.ts'
import { completeUpload, deleteUpload, reserveUpload, type StorageDeps } from '#server/features/storage/actions.ts'
import { deliverRoute } from '#server/features/storage/deliver.ts'
import { presentMediaItem } from '#server/features/storage/present.ts'
import { receiveRoute } from '#server/features/storage/receive.ts'
import { takeAttempt } from '#server/http/attempts.ts'
import { serve } from '#server/http/serve.ts'

export async function storageRoutes(app: FastifyInstance, deps: StorageDeps & { config: { publicUrl: string } }): Promise<void> {
  const { db, files, config } = deps

  serve(app, storageEndpoints, {
    'POST /api/v1/storage-object': async ({ body, viewer, request }) => {
      await takeAttempt(db, 'upload', viewer.user.id)
      const { id, url, headers } = await reserveUpload(deps, viewer.user.id, body)
      return {
        data: { upload_url: new URL(url, originOf(request, config.publicUrl)).href, storage_object_id: id, upload_headers: headers },
      }
    },

    'POST /api/v1/storage-object/{id}/complete': async ({ params, body, viewer }) => ({
      data: presentMediaItem(await completeUpload(deps, viewer.user.id, params.id, body?.poster_storage_object_id)),
    }),

    'DELETE /api/v1/storage-object/{id}/': ({ params, viewer }) => deleteUpload(deps, viewer.user.id, params.id),
  })

  deliverRoute(app, db, files)
  if (files.direct) await receiveRoute(app, db, files.direct)
}

/**
 * Where the page that asks came from: it may send to no other origin. A proxy that is not trusted hides that the page is
 * https, so the public address goes first wherever it is the same host.
 */
const originOf = (request: FastifyRequest, publicUrl: string) => {
  const own = `${request.protocol}://${request.host}`
  return URL.canParse(own) && new URL(publicUrl).host !== request.host ? own : publicUrl
}
