import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { MaterialId } from '#contract/materials.ts'
import { settings } from '#contract/settings.ts'
import { decideBid, minimumBid, type Auction } from '#domain/bidding.ts'
import type { PriceBasis } from '#domain/money.ts'

type DemoListing = {
  by: 'seller' | 'buyer' | 'rival' | 'basic'
  title: string
  description: string
  material: MaterialId
  grade?: string
  price: [start: number, basis: PriceBasis, weight_kg: number | null]
  reservation?: number
  transfer?: 1 | 2
  /** Minutes until its end; below zero it has ended, and the closer finds it at the first start. */
  endsIn: number
  /** Who bid up to how much, in order. */
  bids?: [who: 'seller' | 'buyer' | 'rival' | 'temp', max: number][]
}

const HOUR = 60
const DAY = 24 * HOUR

// pounds are written with their pence: 5_200_00 is £5,200.00
const listings: readonly DemoListing[] = [
  {
    by: 'seller',
    title: 'Bright wire, granulator ready',
    description: 'Stripped bright copper, no enamel, no tinned ends. Loaded in 1 t bags, dry stored.',
    material: 'copper_bright',
    grade: 'Candy',
    price: [6_400_00, 'tonne', 3_240],
    reservation: 6_700_00,
    endsIn: 4,
    bids: [
      ['buyer', 6_550_00],
      ['rival', 6_800_00],
      ['buyer', 6_750_00],
    ],
  },
  {
    by: 'seller',
    title: 'Heavy copper pipe and tube',
    description: 'Demolition pipe, cut to a metre, some paint. Solder joints cut out.',
    material: 'copper_no_1',
    grade: 'Berry',
    price: [5_900_00, 'tonne', 1_860],
    endsIn: 42,
    bids: [['rival', 6_000_00]],
  },
  {
    by: 'seller',
    title: 'PVC house wire, 1.5 and 2.5 mm',
    description: 'Twin and earth offcuts from three sites. Recovery 62 % by our own strip test.',
    material: 'copper_cable',
    grade: '62 % recovery',
    price: [2_900_00, 'tonne', 4_110],
    endsIn: 3 * HOUR,
    bids: [
      ['buyer', 3_050_00],
      ['rival', 3_000_00],
    ],
  },
  {
    by: 'seller',
    title: 'Armoured cable, 4 core 95 mm',
    description: 'Full lengths on six drums, ends sealed. Can be loaded by Hiab.',
    material: 'copper_cable',
    price: [18_500_00, 'lot', 7_900],
    transfer: 2,
    endsIn: 9 * HOUR,
    bids: [['rival', 19_500_00]],
  },
  {
    by: 'seller',
    title: 'Mixed brass, valves and fittings',
    description: 'Plumbing brass with steel inserts under 2 %. In two stillages.',
    material: 'brass',
    grade: 'Honey',
    price: [3_600_00, 'tonne', 980],
    endsIn: 20 * HOUR,
  },
  {
    by: 'seller',
    title: 'Old rolled aluminium sheet',
    description: 'Roofing and cladding, screws out, painted one side.',
    material: 'aluminium_sheet',
    grade: 'Taint Tabor',
    price: [1_050_00, 'tonne', 6_400],
    endsIn: DAY,
    bids: [['buyer', 1_100_00]],
  },
  {
    by: 'seller',
    title: 'Alloy wheels, clean, no weights',
    description: '412 car wheels, weights and valves off, palletised.',
    material: 'aluminium_wheels',
    grade: 'Troma',
    price: [8_200_00, 'lot', 4_080],
    reservation: 9_000_00,
    endsIn: DAY + 5 * HOUR,
    bids: [['rival', 8_500_00]],
  },
  {
    by: 'seller',
    title: 'Aluminium extrusion, 6063 offcuts',
    description: 'New production offcuts, bare, baled on request.',
    material: 'aluminium_extrusion',
    grade: 'Tread',
    price: [1_650_00, 'tonne', 5_200],
    transfer: 2,
    endsIn: 2 * DAY,
  },
  {
    by: 'seller',
    title: 'Cast aluminium engine blocks',
    description: 'Drained, bolts mostly out. 11 bins.',
    material: 'aluminium_cast',
    price: [980_00, 'tonne', 9_350],
    endsIn: 2 * DAY + 3 * HOUR,
  },
  {
    by: 'seller',
    title: 'OA plate and girder, 1.5 × 0.5 m',
    description: 'From a dismantled gantry in Attercliffe. Torch cut, over 6 mm throughout.',
    material: 'ferrous_oa',
    grade: 'OA',
    price: [192_00, 'tonne', 42_000],
    endsIn: 3 * DAY,
    bids: [
      ['buyer', 205_00],
      ['rival', 203_00],
    ],
  },
  {
    by: 'rival',
    title: 'No. 1 and 2 mixed, processed',
    description: 'Sheared, one full tipper. Weighed on our own certified bridge.',
    material: 'ferrous_1_2',
    grade: '1 & 2',
    price: [168_00, 'tonne', 24_600],
    transfer: 2,
    endsIn: 3 * DAY + 6 * HOUR,
  },
  {
    by: 'rival',
    title: 'Light iron, loose',
    description: 'White goods bodies and sheet, motors and cables out.',
    material: 'ferrous_light_iron',
    price: [118_00, 'tonne', 18_900],
    endsIn: 6 * HOUR,
    bids: [['buyer', 124_00]],
  },
  {
    by: 'rival',
    title: 'Cast iron radiators and bath',
    description: 'House clearance cast, unbroken.',
    material: 'ferrous_cast',
    price: [640_00, 'lot', 3_650],
    endsIn: 50,
  },
  {
    by: 'rival',
    title: 'Steel turnings, short, dry',
    description: 'Spun, oil under 2 %. Weekly arising, this is one skip.',
    material: 'ferrous_turnings',
    price: [96_00, 'tonne', 11_200],
    endsIn: 4 * DAY,
  },
  {
    by: 'rival',
    title: 'Car bales, 34 pieces',
    description: 'Depolluted, CoDs available. Even size, easy to stack.',
    material: 'ferrous_bales',
    price: [151_00, 'tonne', 28_300],
    endsIn: 5 * DAY,
    bids: [['buyer', 155_00]],
  },
  {
    by: 'rival',
    title: 'Old lead sheet and flashing',
    description: 'Church roof, dry, no cable. In drums.',
    material: 'lead',
    grade: 'Racks',
    price: [1_420_00, 'tonne', 2_150],
    endsIn: 7 * HOUR,
    bids: [['buyer', 1_480_00]],
  },
  {
    by: 'basic',
    title: 'Zinc die cast, clean',
    description: 'Door furniture rejects, plated, no iron.',
    material: 'zinc',
    price: [1_080_00, 'tonne', 1_340],
    endsIn: 2 * DAY + 8 * HOUR,
  },
  {
    by: 'basic',
    title: '316 stainless, tank cuttings',
    description: 'Dairy tank, 3 mm, PMI sheet with the load.',
    material: 'stainless',
    grade: '316',
    price: [1_560_00, 'tonne', 4_470],
    reservation: 1_700_00,
    endsIn: 11 * HOUR,
    bids: [['rival', 1_600_00]],
  },
  {
    by: 'basic',
    title: 'Electric motors, 0.5 to 15 kW',
    description: 'Unbroken, mixed frame sizes, cable off.',
    material: 'motors',
    price: [690_00, 'tonne', 7_720],
    endsIn: DAY + 9 * HOUR,
    bids: [
      ['buyer', 720_00],
      ['rival', 740_00],
    ],
  },
  {
    by: 'basic',
    title: 'Lead-acid car batteries',
    description: '19 ADR boxes. Consignment note goes with the load.',
    material: 'batteries',
    price: [560_00, 'tonne', 14_800],
    transfer: 2,
    endsIn: 6 * DAY,
  },
  {
    by: 'basic',
    title: 'Server racks and switchgear',
    description: 'Office strip-out, drives removed and shredded, certificate in hand.',
    material: 'weee',
    price: [1_150_00, 'lot', 2_900],
    endsIn: 13 * HOUR,
  },
  {
    by: 'basic',
    title: 'Mixed metals, one RoRo',
    description: 'About half light iron, rest ali and cable. Come and look.',
    material: 'mixed',
    price: [2_400_00, 'lot', 9_100],
    endsIn: 25,
  },
  {
    by: 'buyer',
    title: 'Colchester Triumph 2000 lathe',
    description: 'Three phase, runs, with chucks and steadies. On a concrete floor, forklift on site.',
    material: 'goods_machinery',
    price: [2_800_00, 'lot', 1_750],
    endsIn: 4 * DAY + 2 * HOUR,
    bids: [['seller', 3_000_00]],
  },
  {
    by: 'buyer',
    title: 'Hydraulic alligator shear',
    description: '600 mm blade, new seals last year. Sold as seen, viewing welcome.',
    material: 'goods_machinery',
    price: [4_500_00, 'lot', 3_300],
    reservation: 5_500_00,
    endsIn: 8 * DAY,
  },
  {
    by: 'buyer',
    title: 'Mixed hand tools, 14 crates',
    description: 'Liquidation stock: spanners, grips, sockets. List on request.',
    material: 'goods_tools',
    price: [480_00, 'lot', 620],
    endsIn: 90,
  },
  {
    by: 'buyer',
    title: 'Galvanised tube, new, 6 m',
    description: 'Over-order, 212 lengths of 48.3 mm. Bundled.',
    material: 'goods_stock',
    price: [3_900_00, 'lot', 4_530],
    transfer: 2,
    endsIn: 10 * DAY,
  },
  {
    by: 'seller',
    title: 'Copper transformer windings',
    description: 'Burnt out, paper off, two units.',
    material: 'copper_no_2',
    price: [5_200_00, 'tonne', 2_300],
    endsIn: -30,
    bids: [
      ['buyer', 5_350_00],
      ['rival', 5_300_00],
    ],
  },
  {
    by: 'seller',
    title: 'Gunmetal valves, DN 150',
    description: 'Eight valves from a pumping station.',
    material: 'brass',
    price: [1_900_00, 'lot', 640],
    reservation: 2_600_00,
    endsIn: -90,
    bids: [['rival', 2_100_00]],
  },
  {
    by: 'rival',
    title: 'Painted gutter, cast aluminium',
    description: 'School refit, 300 m.',
    material: 'aluminium_cast',
    price: [700_00, 'lot', 1_100],
    endsIn: -200,
  },
]

export type DemoPerson = {
  id: string
  address: { line: string; town: string; country: string; postCode: string; latitude: number; longitude: number }
}

/** Listings in every state that is built, with bids that follow the rules. The closer ends those whose time is over. */
export async function insertDemoListings(client: pg.Client, people: ReadonlyMap<string, DemoPerson>): Promise<void> {
  for (const listing of listings) {
    const seller = people.get(listing.by)
    if (!seller) throw new Error(`the demo has no ${listing.by}`)
    const id = await insertListing(client, listing, seller)
    await insertBids(client, id, listing, people)
  }
}

async function insertListing(
  client: pg.Client,
  { title, description, material, grade, price, reservation, transfer, endsIn }: DemoListing,
  seller: DemoPerson,
) {
  const [start, basis, weight] = price
  const { address } = seller
  const { rows } = await client.query<{ id: string }>(
    `insert into listings (seller_id, status, title, description, material_id, grade, price_basis, weight_kg, start_price, reservation_price, transfer_method_id,
       address_line_1, town, county, post_code, latitude, longitude, duration_days, starts_at, created_at, expires_at, first_expires_at)
     select $1, 'Active', $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, 5, began, began, ends, ends
     from (select date_trunc('milliseconds', app_now() + make_interval(mins => $17)) as ends, app_now() + make_interval(mins => $17) - interval '14 days' as began) as t
     returning id`,
    [
      seller.id,
      title,
      description,
      material,
      grade ?? null,
      basis,
      weight,
      start,
      reservation ?? null,
      transfer ?? 1,
      address.line,
      address.town,
      address.country,
      address.postCode,
      address.latitude,
      address.longitude,
      endsIn,
    ],
  )
  const id = rows[0]?.id ?? ''
  await client.query(
    `insert into listing_events (listing_id, seq, step, from_status, to_status, actor, actor_id, at)
     select id, seq, step, before, after, actor, case when actor = 'seller' then seller_id end, starts_at
     from listings, (values (1, 'submit', null, 'Processing', 'seller'), (2, 'ready', 'Processing', 'Active', 'time')) as e (seq, step, before, after, actor)
     where id = $1`,
    [id],
  )
  return id
}

async function insertBids(
  client: pg.Client,
  listingId: string,
  { price, reservation, bids = [] }: DemoListing,
  people: ReadonlyMap<string, DemoPerson>,
) {
  const [startPrice, basis] = price
  const steps = basis === 'lot' ? settings.bid_steps_lot.default : settings.bid_steps_tonne.default
  let auction: Auction = { startPrice, reservationPrice: reservation ?? null, steps, standing: null }
  const standings = new Map<string, { number: number; bidId: string; max: number }>()
  for (const [nth, [who, max]] of bids.entries()) {
    const bidder = people.get(who)?.id ?? ''
    const decision = decideBid(auction, { bidder, amount: minimumBid(auction), max })
    if (!decision.accepted) throw new Error(`the demo's bid of ${who} is refused: ${decision.code}`)
    const { standing } = decision
    const id = randomUUID()
    await client.query(
      `insert into bids (id, listing_id, seq, bidder_id, amount, max_amount, price_after, leader_after, accepted_at, expires_at)
       select $2, id, $3, $4, $5, $6, $7, $8, expires_at - interval '13 days' + make_interval(hours => $3), expires_at from listings where id = $1`,
      [listingId, id, nth + 1, bidder, Math.min(max, standing.price), max, standing.price, standing.leader],
    )
    const before = standings.get(bidder)
    standings.set(bidder, { number: before?.number ?? standings.size + 1, bidId: id, max: Math.max(before?.max ?? 0, max) })
    auction = { ...auction, standing }
  }
  const { standing } = auction
  if (!standing) return
  for (const [bidder, { number, bidId, max }] of standings) {
    await client.query(
      'insert into bid_standings (listing_id, bidder_id, bidder_number, latest_bid_id, max_amount, status) values ($1, $2, $3, $4, $5, $6)',
      [listingId, bidder, number, bidId, max, bidder === standing.leader ? 'Active' : 'Outbid'],
    )
  }
  await client.query(
    'update listings set current_price = $2, leader_id = $3, leader_max = $4, leading_bid_id = $5, bid_count = $6 where id = $1',
    [listingId, standing.price, standing.leader, standing.leaderMax, standings.get(standing.leader)?.bidId, bids.length],
  )
}
