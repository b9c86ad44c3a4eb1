import { randomUUID } from 'node:crypto'
import { fileTypes } from '#contract/storage.ts'
import { isUuid } from '#server/http/uuid.ts'
import type { StorageObject } from '#server/features/storage/queries.ts'

// Two prefixes: incoming/ is quarantine, and nothing is ever served from it; ready/ holds what passed. Under papers/ are the PDFs that
// we issued.

export const incomingKey = (id: string) => `incoming/${id}`

/** A folder for one check of one object: of two checks at once, each writes and removes its own files. */
export const readyFolder = (id: string) => `ready/${id}/${randomUUID()}`

/** Whose a file in the store is; nothing for one that is nobody's. */
export function ownerOfKey(key: string): string | undefined {
  const [, id = ''] = /^(?:incoming|ready)\/([^/]+)(?:\/|$)/.exec(key) ?? []
  return isUuid(id) ? id : undefined
}

/** Which paper a file is the PDF of, and by which hash; nothing for any other file. */
export function paperOfKey(key: string): { id: string; sha256: string } | undefined {
  const [, id = '', sha256 = ''] = /^papers\/([^/]+)\/([0-9a-f]{64})\.pdf$/.exec(key) ?? []
  return isUuid(id) ? { id, sha256 } : undefined
}

export const keysOf = (object: Pick<StorageObject, 'object_key' | 'thumbnails' | 'poster_key'>): string[] =>
  [object.object_key, ...Object.values(object.thumbnails), object.poster_key].filter((key) => key !== null)

/** The files of a ready object by the last part of their address. */
export function filesOf(object: StorageObject): Record<string, { key: string; contentType: string }> {
  const thumbnails = Object.entries(object.thumbnails).map(([width, key]) => [`${width}.webp`, { key, contentType: 'image/webp' }] as const)
  return {
    [mainName(object)]: { key: object.object_key ?? '', contentType: object.mime_type },
    ...Object.fromEntries(thumbnails),
    ...posterOf(object),
  }
}

function posterOf({ poster_key }: StorageObject): Record<string, { key: string; contentType: string }> {
  if (!poster_key) return {}
  const extension = poster_key.split('.').at(-1)
  const [contentType = ''] = Object.entries(fileTypes).find(([, type]) => type.extension === extension) ?? []
  return { [posterName(poster_key)]: { key: poster_key, contentType } }
}

export const posterName = (posterKey: string) => posterKey.split('/').at(-1) ?? ''

export function mainName({ mime_type }: Pick<StorageObject, 'mime_type'>): string {
  const { is, extension } = fileTypes[mime_type]
  return `${is}.${extension}`
}

/** Where the file itself is fetched from. */
export const addressOf = (object: Pick<StorageObject, 'id' | 'mime_type'>) => `/files/${object.id}/${mainName(object)}`
