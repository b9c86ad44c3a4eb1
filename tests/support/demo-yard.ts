import { randomUUID } from 'node:crypto'
import { after } from 'node:test'
import { newListing } from '#tests/support/auctions/auction.ts'
import type { Answer, Client } from '#tests/support/client.ts'
import { demoUser } from '#tests/support/people.ts'
import { openYard } from '#tests/support/yard.ts'

/** A yard with the demo's people logged in, and what tests of listings and bids do in it. Closed after the tests of the file. */
export async function openDemoYard() {
  const yard = await openYard({ demo: true })
  after(() => yard.close())
  const seller = await demoUser(yard, 'seller')
  const buyer = await demoUser(yard, 'buyer')
  const rival = await demoUser(yard, 'rival')
  const sellerId: string = (await seller.get('/api/v1/auth/me')).body.data.id
  return {
    yard,
    seller,
    buyer,
    rival,
    sellerId,
    list: (changes: Record<string, unknown> = {}) => newListing(yard.owner, sellerId, changes),
    rowOf: async (id: string) => (await yard.owner.query('select * from listings where id = $1', [id])).rows[0],
  }
}

/** A bid as it is sent, whatever comes of it. */
export const sendBid = (client: Client, id: string, body: object, key: string = randomUUID()): Promise<Answer> =>
  client.post(`/api/v1/listings/${id}/bids`, body, { 'idempotency-key': key })
