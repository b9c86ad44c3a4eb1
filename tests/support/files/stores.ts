import S3rver from '@20minutes/s3rver'
import { scratchFolder } from '#tests/support/files/scratch.ts'
import type { Answer, Client } from '#tests/support/client.ts'
import { openYard, type Yard } from '#tests/support/yard.ts'

const cors = `<CORSConfiguration><CORSRule><AllowedOrigin>*</AllowedOrigin><AllowedMethod>PUT</AllowedMethod><AllowedMethod>GET</AllowedMethod><AllowedHeader>*</AllowedHeader></CORSRule></CORSConfiguration>`

/** An S3 server of our own that checks signatures; its listing of a bucket does so wrongly, so that one needs `lenient`. */
export async function s3Server({ lenient = false } = {}) {
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: await scratchFolder('s3'),
    allowMismatchedSignatures: lenient,
    configureBuckets: [{ name: 'yard', configs: [cors] }],
  })
  const { port } = await server.run()
  const env = {
    S3_ENDPOINT: `http://127.0.0.1:${port}`,
    S3_BUCKET: 'yard',
    S3_ACCESS_KEY_ID: 'S3RVER',
    S3_SECRET_ACCESS_KEY: 'S3RVER',
  }
  return { env, close: () => server.close() }
}

export type StoreName = 'disk' | 's3'
export const storeNames: StoreName[] = ['disk', 's3']

/** A yard whose uploads go to the one store or the other. */
export async function openYardWith(store: StoreName, options: { lenient?: boolean } = {}): Promise<Yard> {
  if (store === 'disk') return openYard({ demo: true })
  const server = await s3Server(options)
  const yard = await openYard({ demo: true, env: server.env })
  return {
    ...yard,
    async close() {
      await yard.close()
      await server.close()
    },
  }
}

export type Sent = { bytes: Buffer; mime_type: string; filename?: string; type?: number; storage_object_kind?: number }

export const reserve = (
  client: Client,
  { bytes, mime_type, filename = 'load.jpg', type = 1, storage_object_kind }: Sent,
): Promise<Answer> =>
  client.post('/api/v1/storage-object', {
    filename,
    mime_type,
    file_size: bytes.length,
    type,
    ...(storage_object_kind !== undefined && { storage_object_kind }),
  })

/** As the browser does it: without cookies, straight to the address. */
export const put = async (url: string, bytes: Buffer, contentType: string): Promise<number> => {
  const response = await fetch(url, { method: 'PUT', body: new Uint8Array(bytes), headers: { 'content-type': contentType } })
  await response.arrayBuffer()
  return response.status
}

/** Reserve, send, complete: the answer of the last, and the id. */
export async function upload(client: Client, sent: Sent): Promise<Answer & { id: string }> {
  const reserved = await reserve(client, sent)
  if (reserved.status !== 201) throw new Error(`not reserved: ${JSON.stringify(reserved.body)}`)
  const { upload_url, storage_object_id: id } = reserved.body.data
  const status = await put(upload_url, sent.bytes, sent.mime_type)
  if (status !== 200) throw new Error(`not taken: ${status}`)
  return { ...(await client.post(`/api/v1/storage-object/${id}/complete`)), id }
}

/** As somebody does whose server was killed during the upload: its address is closed, and the file is chosen again. */
export async function uploadUntilKept(client: Client, sent: Sent): Promise<Answer & { id: string }> {
  for (;;) {
    const answer = await upload(client, sent)
    if (answer.body.code !== 'not_uploaded') return answer
  }
}

/** The bytes at an address of ours, wherever it leads. */
export async function fetchBytes(yard: Yard, path: string, client?: Client, headers: Record<string, string> = {}) {
  const cookie = client ? [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ') : ''
  const response = await fetch(`${yard.url}${path}`, { headers: { ...(cookie && { cookie }), ...headers } })
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}
