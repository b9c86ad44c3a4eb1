import type { Client } from '#tests/support/client.ts'
import { randomUUID } from 'node:crypto'

// Enquiries and offers over HTTP, as a trade and a merchant make them.

export const enquiryForm = (changes: Record<string, unknown> = {}) => ({
  title: 'Copper cable from a rewire',
  description: 'About three bags, clean',
  material_id: 'copper_cable',
  weight_kg: 120,
  address: {
    address_line_1: '4 Dale Street',
    address_line_2: null,
    town: 'Manchester',
    county: null,
    country: 'England',
    post_code: 'M1 4BT',
    latitude: 53.4812,
    longitude: -2.2311,
  },
  ...changes,
})

export async function postEnquiry(poster: Client, changes: Record<string, unknown> = {}): Promise<string> {
  const { status, body } = await poster.post('/api/v1/market/enquiries', enquiryForm(changes))
  if (status !== 201) throw new Error(`the enquiry was refused: ${status} ${JSON.stringify(body)}`)
  return body.data.id
}

export const offerFor = (merchant: Client, enquiryId: string, price = 300_00, more: Record<string, unknown> = {}) =>
  merchant.post(`/api/v1/market/enquiries/${enquiryId}/offers`, { price, ...more }, { 'idempotency-key': randomUUID() })

export const say = (sender: Client, conversationId: string, body: string, key: string = randomUUID()) =>
  sender.post(`/api/v1/market/conversations/${conversationId}/messages`, { body }, { 'idempotency-key': key })
