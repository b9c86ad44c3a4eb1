import type pg from 'pg'

const [enquiry, conversation, offer] = [
  '00000000-0000-4000-8000-0000000000e1',
  '00000000-0000-4000-8000-0000000000c1',
  '00000000-0000-4000-8000-0000000000f1',
]

/** An enquiry that two members agreed on, and one member's preferences, as rows. */
export async function soundMarket(owner: pg.ClientBase, posterId: string, merchantId: string): Promise<void> {
  await owner.query(
    `insert into enquiries (id, poster_id, status, title, description, material_id, address_line_1, town, post_code, latitude, longitude, district,
       district_latitude, district_longitude, spot, ends_at, offer_count)
     values ($1, $2, 'agreed', 'Lead', '', 'lead', 'x', 'Leeds', 'LS1 1AA', 53.8, -1.5, 'LS1', 53.8, -1.5, map_spot(53.8, -1.5), app_now() + interval '1 day', 1)`,
    [enquiry, posterId],
  )
  await owner.query('insert into enquiry_conversations (id, enquiry_id, poster_id, merchant_id, last_seq) values ($1, $2, $3, $4, 2)', [
    conversation,
    enquiry,
    posterId,
    merchantId,
  ])
  await owner.query(
    `insert into enquiry_offers (id, enquiry_id, conversation_id, maker_id, price, status, decided_at) values ($1, $2, $3, $4, 1000, 'accepted', app_now())`,
    [offer, enquiry, conversation, merchantId],
  )
  await owner.query(
    `insert into enquiry_messages (conversation_id, seq, sender_id, body, offer_id) values ($1, 1, $2, 'Mine', $4), ($1, 2, $3, 'Yours', null)`,
    [conversation, merchantId, posterId, offer],
  )
  await owner.query(
    `insert into enquiry_deals (enquiry_id, offer_id, conversation_id, poster_id, holder_id, accepted_by, title, material_id, price)
     values ($1, $2, $3, $4, $5, $4, 'Lead', 'lead', 1000)`,
    [enquiry, offer, conversation, posterId, merchantId],
  )
  await owner.query(
    `insert into material_preferences (user_id, material_ids, radius_miles, post_code, spot, alerts) values ($1, '{lead,zinc}', 20, 'LS1', map_spot(53.8, -1.5), true)`,
    [merchantId],
  )
  await owner.query(
    `insert into preference_cells (material_id, cell, user_id, spot, radius_miles) select m, 1, $1, map_spot(53.8, -1.5), 20 from unnest(array['lead', 'zinc']) as m`,
    [merchantId],
  )
}

/** Each breaks one rule of the market on purpose. */
export const marketBreaks: [rule: string, statements: string[]][] = [
  ['46: market: an enquiry', [`update enquiries set status = 'open' where id = '${enquiry}'`]],
  ['46: market: an enquiry', [`delete from enquiry_deals where enquiry_id = '${enquiry}'`]],
  ['46: market: an enquiry', [`update enquiry_offers set status = 'declined' where id = '${offer}'`]],
  ['46: market: an enquiry', [`update enquiry_deals set price = 999`]],
  ['46: market: an enquiry', [`update enquiry_deals set holder_id = poster_id`]],
  [
    '46: market: an enquiry',
    [
      `insert into enquiry_offers (enquiry_id, conversation_id, maker_id, price) select enquiry_id, id, poster_id, 1 from enquiry_conversations where id = '${conversation}'`,
    ],
  ],
  ['45: market: the messages', [`update enquiry_messages set seq = 3 where conversation_id = '${conversation}' and seq = 2`]],
  ['45: market: the messages', [`delete from enquiry_messages where conversation_id = '${conversation}' and seq = 2`]],
  ['45: market: the messages', [`update enquiry_conversations set last_seq = 3 where id = '${conversation}'`]],
  ['46: preferences: what matching', [`delete from preference_cells where material_id = 'zinc'`]],
  ['46: preferences: what matching', [`update preference_cells set radius_miles = 21 where material_id = 'lead'`]],
  ['46: preferences: what matching', [`update material_preferences set alerts = false`]],
]
