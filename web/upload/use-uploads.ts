import { useEffect, useRef, useState, type ChangeEvent } from 'react'
import type { MediaItem } from '#contract/storage.ts'
import { frameSentences } from '#contract/values/frame-sentences.ts'
import { MOST_MEDIA } from '#contract/values/limits.ts'
import { sentences } from '#contract/values/sentences.ts'
import { ApiError, messageOf } from '#web/api/api-error.ts'
import { notify } from '#web/api/notices.ts'
import { removeUpload, uploadFile } from '#web/upload/upload-file.ts'

export type Upload = {
  key: string
  file_name: string
  isImage: boolean
  /** Of the file itself while it is under way, then of what the server made of it. */
  preview: string | null
  /** 0 to 1. */
  progress: number
  item?: MediaItem
  stop: () => void
}

let picked = 0

type Options = {
  initial: readonly MediaItem[]
  onItems: (items: MediaItem[]) => void
  /** A storage object kind of SPEC §3 for documents, nothing for photos and videos. */
  kind?: number | undefined
  most?: number
  /** How many of them are held elsewhere already. */
  held?: number
}

/** Files on their way and files that have arrived, in the order in which they were picked or put. */
export function useUploads({ initial, onItems, kind, most = MOST_MEDIA, held = 0 }: Options) {
  const [uploads, setUploads] = useState<readonly Upload[]>(() => initial.map(arrived))
  const latest = useRef(uploads)

  const change = (next: readonly Upload[]) => {
    latest.current = next
    setUploads(next)
  }
  const replace = (key: string, changes: Partial<Upload>) =>
    change(latest.current.map((upload) => (upload.key === key ? { ...upload, ...changes } : upload)))
  const drop = (key: string) => change(latest.current.filter((upload) => upload.key !== key))
  const tellItems = () => onItems(latest.current.flatMap(({ item }) => item ?? []))

  const send = async (file: File) => {
    const upload = underWay(file)
    const { key, preview, signal } = upload
    change([...latest.current, upload])
    try {
      const item = await uploadFile(file, { signal, kind, onProgress: (progress) => replace(key, { progress }) })
      replace(key, { ...arrived(item), key })
      tellItems()
    } catch (error) {
      drop(key)
      tell(error, file, () => add([file]))
    } finally {
      if (preview) URL.revokeObjectURL(preview)
    }
  }

  /** SPEC §5: at least one and at most so many, those that are there already counted in. */
  const add = (files: readonly File[]) => {
    if (files.length === 0 || files.length + latest.current.length + held > most)
      notify({ type: 'danger', title: frameSentences.errorTitle, body: sentences.fileCount(most) })
    else for (const file of files) void send(file)
  }

  const remove = ({ key, item, stop }: Upload) => {
    stop()
    drop(key)
    if (!item) return
    tellItems()
    removeUpload(item.storage_object_id)
  }

  /** They were taken: the list starts again, and the files stay where they are. */
  const clear = () => {
    change([])
    tellItems()
  }

  /** One place to the front (-1) or to the back (1). */
  const move = ({ key }: Upload, by: -1 | 1) => {
    const from = latest.current.findIndex((upload) => upload.key === key)
    const [moved, other] = [latest.current[from], latest.current[from + by]]
    if (!moved || !other) return
    change(latest.current.with(from, other).with(from + by, moved))
    tellItems()
  }

  // what has arrived stays; what is under way has nobody left to take it
  useEffect(
    () => () => {
      for (const { stop } of latest.current) stop()
    },
    [],
  )

  return { uploads, isUnderWay: uploads.some(({ item }) => !item), add, remove, move, clear }
}

const arrived = (item: MediaItem): Upload => ({
  key: item.storage_object_id,
  file_name: item.file_name,
  isImage: item.media_type === 'ListingImage',
  preview: item.thumbnail_url,
  progress: 1,
  item,
  stop: () => {},
})

function underWay(file: File): Upload & { signal: AbortSignal } {
  const limit = new AbortController()
  const isImage = file.type.startsWith('image/')
  const preview = isImage ? URL.createObjectURL(file) : null
  return {
    key: `picked-${++picked}`,
    file_name: file.name,
    isImage,
    preview,
    progress: 0,
    stop: () => limit.abort(),
    signal: limit.signal,
  }
}

function tell(error: unknown, file: File, retry: () => void): void {
  if (error instanceof ApiError && (error.code === 'cancelled' || error.status === 401)) return
  const reason = (error instanceof ApiError && Object.values(error.errors)[0]?.[0]) || messageOf(error)
  const canRetry = error instanceof ApiError && error.canRetry
  notify({
    type: 'danger',
    title: `${file.name} was not uploaded`,
    body: reason,
    ...(canRetry && { action: { label: 'Try again', handler: retry } }),
  })
}

/** For a file input: hands over what was picked and empties the input, so that a file that failed can be picked again. */
export const pickedFiles =
  (onAdd: (files: readonly File[]) => void) =>
  ({ target }: ChangeEvent<HTMLInputElement>): void => {
    onAdd([...(target.files ?? [])])
    target.value = ''
  }
