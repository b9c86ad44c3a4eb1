import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Answer, Client } from '#tests/support/client.ts'
import { pdf } from '#tests/support/files/made-files.ts'
import { demoUser, signUp } from '#tests/support/people.ts'
import { upload } from '#tests/support/files/stores.ts'
import { closeSound, openYard } from '#tests/support/yard.ts'

// Merchant documents, as their owner files them and an admin looks at them.

export const DOCUMENTS = '/api/v1/auth/merchant-documents'
export const purpose = { type: 3, storage_object_kind: 7 }

/** Uploads a document; answers the id of its file. */
export async function file(client: Client, changes: Record<string, unknown> = {}): Promise<string> {
  const { status, id, body } = await upload(client, {
    bytes: pdf(),
    mime_type: 'application/pdf',
    filename: 'licence.pdf',
    ...purpose,
    ...changes,
  })
  assert.equal(status, 200, JSON.stringify(body))
  return id
}

export const licence = (storage_object_id: string, changes: Record<string, unknown> = {}) => ({
  storage_object_id,
  kind: 'scrap_dealer_licence',
  number: 'SMD/2031',
  council: 'Leeds City Council',
  expires_at: '2035-01-31',
  ...changes,
})
export const put = (client: Client, ...documents: object[]): Promise<Answer> => client.put(DOCUMENTS, { documents })
export const list = async (client: Client) => (await client.get(DOCUMENTS)).body

/** A yard with an admin in it. What must always hold is looked at after the tests of the file. */
export async function openDocumentYard() {
  const yard = await openYard({ demo: true })
  after(() => closeSound(yard))
  const admin = await demoUser(yard, 'admin')
  return {
    yard,
    admin,
    approve: (id: string, body?: object) => admin.post(`/api/v1/admin/documents/${id}/approve`, body),
    reject: (id: string, reason = 'The photo is blurred.') => admin.post(`/api/v1/admin/documents/${id}/reject`, { reason }),
    licenceRow: async (id: string) =>
      (await yard.owner.query('select licence_status as status, licence_expires_at as expires_at from users where id = $1', [id])).rows[0],
    /** Somebody with one licence that waits. */
    applicant: async (changes: Record<string, unknown> = {}) => {
      const person = await signUp(yard)
      const storageId = await file(person.client)
      const { status, body } = await put(person.client, licence(storageId, changes))
      assert.equal(status, 200, JSON.stringify(body))
      return { ...person, storageId, documentId: body.data[0].id as string }
    },
  }
}
