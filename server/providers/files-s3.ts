import type { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import type { FileStore } from '#server/providers/files.ts'

export type S3Options = {
  /** Of any S3-compatible server; AWS's own when missing. */
  endpoint: string | undefined
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
}

/** Files in a bucket. Browsers send to it and fetch from it directly, with addresses that we sign. */
export function s3Store({ endpoint, region, bucket: Bucket, accessKeyId, secretAccessKey }: S3Options): FileStore {
  const client = new S3Client({
    ...(endpoint && { endpoint }),
    region,
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
    // the SDK's own checksums are headers that a browser does not send and that older servers do not know
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: 4_000, socketTimeout: 20_000 },
  })
  return {
    origin: new URL(endpoint ?? `https://s3.${region}.amazonaws.com`).origin,
    direct: null,
    signedPut: (Key, { contentType, size }, forSeconds) =>
      getSignedUrl(client, new PutObjectCommand({ Bucket, Key, ContentType: contentType, ContentLength: size }), {
        expiresIn: forSeconds,
        signableHeaders: new Set(['content-type', 'content-length']),
      }),
    signedGet: (Key, forSeconds) => getSignedUrl(client, new GetObjectCommand({ Bucket, Key }), { expiresIn: forSeconds }),
    async head(Key) {
      try {
        const { ContentLength } = await client.send(new HeadObjectCommand({ Bucket, Key }))
        return { size: ContentLength ?? 0 }
      } catch (error) {
        if ((error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode === 404) return undefined
        throw error
      }
    },
    async read(Key, range) {
      const { Body } = await client.send(
        new GetObjectCommand({ Bucket, Key, ...(range && { Range: `bytes=${range.start}-${range.end}` }) }),
      )
      return Body as Readable
    },
    async write(Key, Body, { contentType, size, disposition, cacheControl }) {
      await client.send(
        new PutObjectCommand({
          Bucket,
          Key,
          Body,
          ContentLength: size,
          ContentType: contentType,
          ContentDisposition: disposition,
          CacheControl: cacheControl,
        }),
      )
    },
    async remove(Key) {
      await client.send(new DeleteObjectCommand({ Bucket, Key }))
    },
    // the first version of the call: it goes on after a key, and we keep no token between steps
    async list(after, most) {
      const { Contents = [] } = await client.send(new ListObjectsCommand({ Bucket, MaxKeys: most, ...(after && { Marker: after }) }))
      return Contents.flatMap(({ Key, LastModified }) => (Key && LastModified ? [{ key: Key, modifiedAt: LastModified }] : []))
    },
  }
}
