import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type pg from 'pg'
import { cellOfPreference } from '#domain/market/preference-cells.ts'
import { mapSpot } from '#domain/search/uk-map.ts'
import { insertAll } from '#database/demo/insert-listings.ts'
import { storePicture, type StorePhoto } from '#database/demo/insert-photos.ts'
import type { DemoPerson } from '#database/demo/listing.ts'
import { demoEnquiries, demoPreferences, type DemoEnquiry, type DemoSaid } from '#database/demo/enquiries.ts'
import { tradeUsers } from '#database/demo/tradespeople.ts'

const HOUR_MS = 3_600_000
const LIFETIME_MS = 14 * 24 * HOUR_MS

type People = ReadonlyMap<string, DemoPerson>

/** Enquiries in every state with their conversations, offers and deals, tradespeople on the map, and material preferences. */
export async function insertDemoMarket(client: pg.Client, people: People, storePhoto: StorePhoto | undefined): Promise<void> {
  const { rows } = await client.query<{ now: Date }>(`select date_trunc('milliseconds', app_now()) as now`)
  const now = rows[0]?.now ?? new Date(NaN)
  for (const enquiry of demoEnquiries) await insertEnquiry(client, enquiry, { people, now, storePhoto })
  await insertAll(
    client,
    'tradespeople_on_map',
    ['trade', ...tradeUsers.map(([name]) => name)].map((name) => ({ user_id: idOf(people, name), agreed_at: now })),
  )
  for (const wanted of demoPreferences) await insertPreferences(client, wanted, people, now)
}

type Setting = { people: People; now: Date; storePhoto: StorePhoto | undefined }

async function insertEnquiry(client: pg.Client, enquiry: DemoEnquiry, { people, now, storePhoto }: Setting): Promise<void> {
  const id = randomUUID()
  const poster_id = idOf(people, enquiry.by)
  const { status = 'open', talks = [] } = enquiry
  const [town, post_code] = enquiry.at
  const { outcode, latitude, longitude } = districtOf(post_code)
  const { x, y } = mapSpot(latitude, longitude)
  const created_at = hoursBefore(now, enquiry.hoursAgo)
  const ends_at = new Date(created_at.getTime() + LIFETIME_MS)
  const offers = talks.flatMap(({ says }) => says).filter(([, , , offer]) => offer)
  await client.query(
    `insert into enquiries (id, poster_id, status, ended_by, ended_at, title, description, material_id, weight_kg, available_from, address_line_1, town, county,
       post_code, latitude, longitude, district, district_latitude, district_longitude, spot, ends_at, offer_count, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, '1 High Street', $11, null, $12, $13::float8, $14::float8, $15, $13::float8, $14::float8, point($16, $17), $18, $19, $20)`,
    [
      id,
      poster_id,
      status,
      status === 'ended' ? 'time' : null,
      status === 'ended' ? ends_at : null,
      enquiry.title,
      enquiry.description ?? '',
      enquiry.material,
      enquiry.kg,
      enquiry.availableIn === undefined
        ? null
        : hoursBefore(now, -24 * enquiry.availableIn)
            .toISOString()
            .slice(0, 10),
      town,
      post_code,
      latitude,
      longitude,
      outcode,
      x,
      y,
      ends_at,
      offers.length,
      created_at,
    ],
  )
  if (enquiry.photo && storePhoto) {
    const object = await storePicture(storePhoto, {
      id: randomUUID(),
      ownerId: poster_id,
      name: enquiry.photo,
      upload_kind: 1,
      at: created_at,
    })
    await insertAll(client, 'storage_objects', [object])
    await insertAll(client, 'enquiry_media', [{ enquiry_id: id, storage_object_id: object.id, position: 1 }])
  }
  for (const { with: name, says } of talks)
    await insertTalk(client, { enquiry, enquiryId: id, posterId: poster_id, merchantId: idOf(people, name), says, now })
}

type Talk = { enquiry: DemoEnquiry; enquiryId: string; posterId: string; merchantId: string; says: readonly DemoSaid[]; now: Date }

async function insertTalk(client: pg.Client, { enquiry, enquiryId, posterId, merchantId, says, now }: Talk): Promise<void> {
  const conversation_id = randomUUID()
  const lastBy = says.at(-1)?.[0]
  await insertAll(client, 'enquiry_conversations', [
    {
      id: conversation_id,
      enquiry_id: enquiryId,
      poster_id: posterId,
      merchant_id: merchantId,
      last_seq: says.length,
      last_at: hoursBefore(now, says.at(-1)?.[1] ?? 0),
      created_at: hoursBefore(now, says[0]?.[1] ?? 0),
    },
  ])
  for (const [nth, [by, hoursAgo, body, offer]] of says.entries()) {
    const at = hoursBefore(now, hoursAgo)
    const sender_id = by === 'poster' ? posterId : merchantId
    const offer_id = offer ? randomUUID() : null
    const { status = 'open', price = 0 } = offer ?? {}
    const decided_at = status === 'open' ? null : at
    if (offer)
      await insertAll(client, 'enquiry_offers', [
        {
          id: offer_id,
          enquiry_id: enquiryId,
          conversation_id,
          maker_id: sender_id,
          price: price * 100,
          collect_at: hoursBefore(now, hoursAgo - 30),
          status,
          decided_at,
          created_at: at,
        },
      ])
    // what the other side answered has been read; what came last has not
    const read_at = enquiry.status === 'agreed' || by !== lastBy ? at : null
    await insertAll(client, 'enquiry_messages', [
      { id: randomUUID(), conversation_id, seq: nth + 1, sender_id, body, offer_id, created_at: at, read_at },
    ])
    if (status === 'accepted')
      await insertAll(client, 'enquiry_deals', [
        {
          enquiry_id: enquiryId,
          offer_id,
          conversation_id,
          poster_id: posterId,
          holder_id: merchantId,
          accepted_by: posterId,
          title: enquiry.title,
          material_id: enquiry.material,
          weight_kg: enquiry.kg,
          price: price * 100,
          collect_at: hoursBefore(now, hoursAgo - 30),
          agreed_at: at,
        },
      ])
  }
}

type DemoPreference = (typeof demoPreferences)[number]

async function insertPreferences(
  client: pg.Client,
  { of, materials, postCode, miles, leastKg }: DemoPreference,
  people: People,
  now: Date,
): Promise<void> {
  const user_id = idOf(people, of)
  const { latitude, longitude } = districtOf(postCode)
  const { x, y } = mapSpot(latitude, longitude)
  await client.query(
    `insert into material_preferences (user_id, material_ids, min_weight_kg, radius_miles, post_code, spot, alerts, updated_at)
     values ($1, $2, $3, $4, $5, point($6, $7), true, $8)`,
    [user_id, materials, leastKg ?? null, miles, postCode, x, y, now],
  )
  await client.query(
    `insert into preference_cells (material_id, cell, user_id, spot, radius_miles, min_weight_kg)
     select material_id, $3, $1, point($4, $5), $6, $7 from unnest($2::text[]) as material_id`,
    [user_id, materials, cellOfPreference({ x, y }, miles), x, y, miles, leastKg ?? null],
  )
  await client.query('update users set material_preferences_saved_at = $2 where id = $1', [user_id, now])
}

const hoursBefore = (now: Date, hours: number) => new Date(now.getTime() - Math.round(hours * HOUR_MS))

function idOf(people: People, name: string): string {
  const person = people.get(name)
  if (!person) throw new Error(`the demo has no ${name}`)
  return person.id
}

const outcodes = readFileSync(new URL('../uk-outcodes.csv', import.meta.url), 'utf8').split('\n')

function districtOf(postCode: string) {
  const outcode = postCode.split(' ')[0] ?? ''
  const [, latitude, longitude] = outcodes.find((row) => row.startsWith(`${outcode},`))?.split(',') ?? []
  if (!latitude || !longitude) throw new Error(`there is no postcode district ${outcode}`)
  return { outcode, latitude: Number(latitude), longitude: Number(longitude) }
}
