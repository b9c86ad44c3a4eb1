import type { MediaItem } from '#contract/storage.ts'
import { storageObjectKinds, uploadKinds } from '#contract/values/storage-kinds.ts'
import { limitConcurrency } from '#domain/limit-concurrency.ts'
import { ApiError } from '#web/api/api-error.ts'
import { call } from '#web/api/api.ts'
import { posterOf } from '#web/upload/video-poster.ts'

/** `kind`: a storage object kind of SPEC §3 for a document, nothing for photos and videos. */
type Way = { signal: AbortSignal; onProgress: (part: number) => void; kind?: number | undefined }

// more at once only slow each other down on a phone
const UPLOADS_AT_ONCE = 3
const inTurn = limitConcurrency({ atOnce: UPLOADS_AT_ONCE })

export const uploadFile = (file: File, way: Way): Promise<MediaItem> =>
  inTurn(async () => {
    if (way.signal.aborted) throw cancelled()
    return file.type.startsWith('video/') ? sendVideo(file, way) : send(file, way)
  })

/** SPEC §4: reserved, sent to the signed address, completed; on failure the stored object is removed. */
async function send(file: File, way: Way, poster?: MediaItem): Promise<MediaItem> {
  const { signal } = way
  const { data: reserved } = await call('POST /api/v1/storage-object', {
    body: { filename: file.name, mime_type: file.type, file_size: file.size, ...purposeOf(way) },
    signal,
  })
  const { upload_url, upload_headers, storage_object_id: id } = reserved
  try {
    await put(file, upload_url, upload_headers, way)
    return await complete(id, poster && { poster_storage_object_id: poster.storage_object_id }, signal)
  } catch (error) {
    removeUpload(id)
    throw error
  }
}

// a minute: a large video, or a line of photos before this one, takes longer than one call may (SPEC §9)
const ASKED_AT_MOST = 12
const ASKED_AGAIN_AFTER_MS = 1_000

/** The check goes on when a call has waited long enough: asked again, the server answers when it is done. */
async function complete(id: string, body: { poster_storage_object_id: string } | undefined, signal: AbortSignal): Promise<MediaItem> {
  for (let asked = 1; ; asked++) {
    try {
      return (await call('POST /api/v1/storage-object/{id}/complete', { params: { id }, body, signal })).data
    } catch (error) {
      const isUnderWay = error instanceof ApiError && (error.code === 'timeout' || error.status === 503)
      if (!isUnderWay || asked === ASKED_AT_MOST) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, ASKED_AGAIN_AFTER_MS))
  }
}

/** Its poster goes first; a video whose poster cannot be made or sent goes without. */
async function sendVideo(file: File, way: Way): Promise<MediaItem> {
  const frame = await posterOf(file)
  const poster = frame && (await send(frame, { ...way, onProgress: () => {} }).catch(unlessCancelled))
  try {
    return await send(file, way, poster)
  } catch (error) {
    if (poster) removeUpload(poster.storage_object_id)
    throw error
  }
}

function unlessCancelled(error: unknown): undefined {
  if (error instanceof ApiError && error.code === 'cancelled') throw error
}

function purposeOf({ kind }: Way) {
  if (kind === undefined) return { type: uploadKinds.ListingMedia }
  const type = kind === storageObjectKinds.MerchantDocument ? uploadKinds.UserAsset : uploadKinds.ListingAsset
  return { type, storage_object_kind: Object.values(storageObjectKinds).find((known) => known === kind) ?? null }
}

/** Nobody waits for it: what cannot be removed now, the server sweeps up later. */
export const removeUpload = (id: string): void =>
  void call('DELETE /api/v1/storage-object/{id}/', { params: { id }, skipAuthRedirect: true }).catch(() => undefined)

/** Without a time limit, and by XMLHttpRequest: fetch tells nothing of its progress. */
const put = (file: File, url: string, headers: Record<string, string>, { signal, onProgress }: Way) =>
  new Promise<void>((resolve, reject) => {
    const fail = (status: number, code: string, message: string) => reject(new ApiError({ status, code, message }))
    const request = new XMLHttpRequest()
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total ? loaded / total : 0))
    request.addEventListener('load', () => {
      if (request.status < 300) resolve()
      else fail(request.status, 'upload_refused', `The file was not taken (${request.status}).`)
    })
    request.addEventListener('error', () => fail(0, 'unreachable', 'The connection was lost. Check it and try again.'))
    request.addEventListener('abort', () => reject(cancelled()))
    signal.addEventListener('abort', () => request.abort())
    request.open('PUT', url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    if (signal.aborted) reject(cancelled())
    else request.send(file)
  })

const cancelled = () => new ApiError({ status: 0, code: 'cancelled', message: 'Cancelled' })
