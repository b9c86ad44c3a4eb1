import type pg from 'pg'
import type { NotificationKind } from '#contract/values/notification-kinds.ts'
import type { NotificationFacts } from '#domain/notifications/kinds.ts'
import type { PriceBasis } from '#domain/money.ts'

// What the demo's people were told in the last days: every kind that each of them can get, mostly read.

type Goods = { id: string; title: string; town: string; price: number; price_basis: PriceBasis; bid_count: number; ends_at: string }
type Told = { kind: NotificationKind; hoursAgo: number; isUnread?: true; facts: object; link: string; listing?: Goods }

const HOUR_MS = 3_600_000

/** In the transaction that fills the demo. They are delivered: no email and no push message follows. */
export async function insertDemoNotifications(client: pg.Client, people: ReadonlyMap<string, { id: string }>): Promise<void> {
  const { rows: clock } = await client.query<{ now: Date }>('select app_now() as now')
  const now = clock[0]?.now ?? new Date(NaN)
  for (const [name, tells] of Object.entries(stories)) {
    const person = people.get(name)
    if (!person) continue
    const { own, others } = await goodsFor(client, person.id)
    const told = tells({ own, others, now }).sort((one, other) => other.hoursAgo - one.hoursAgo)
    await client.query(
      `insert into notifications (user_id, kind, source, facts, link, listing_id, happened_at, in_app, seq, created_at, read_at, delivered_at)
       select $1, t.kind, 'demo:' || t.seq, t.facts, t.link, t.listing_id, t.at, true, t.seq, t.at, case when t.is_read then t.at + interval '20 minutes' end, t.at
       from jsonb_to_recordset($2::jsonb) as t (kind text, seq int, facts jsonb, link text, listing_id uuid, at timestamptz, is_read boolean)`,
      [
        person.id,
        JSON.stringify(
          told.map(({ kind, hoursAgo, isUnread, facts, link, listing }, nth) => ({
            kind,
            seq: nth + 1,
            facts,
            link,
            listing_id: listing?.id ?? null,
            at: new Date(Math.floor(now.getTime() - hoursAgo * HOUR_MS) + nth),
            is_read: !isUnread,
          })),
        ),
      ],
    )
  }
}

/** Running listings: the person's own, and those of others, the most bid on first. */
async function goodsFor(client: pg.Client, userId: string): Promise<{ own: Goods[]; others: Goods[] }> {
  const { rows } = await client.query<Goods & { is_own: boolean }>(
    `select id, title, town, coalesce(current_price, start_price) as price, price_basis, bid_count, expires_at as ends_at, seller_id = $1 as is_own
     from listings
     where status = 'Active' and expires_at > app_now()
     order by bid_count desc, title`,
    [userId],
  )
  return { own: rows.filter(({ is_own }) => is_own), others: rows.filter(({ is_own }) => !is_own) }
}

type World = { own: Goods[]; others: Goods[]; now: Date }
type Timing = Pick<Told, 'hoursAgo' | 'isUnread'>

const at = (hoursAgo: number): Timing => ({ hoursAgo })
const unread = (hoursAgo: number): Timing => ({ hoursAgo, isUnread: true })

/** A notification whose facts fit its kind. */
const tell = <K extends NotificationKind>(kind: K, when: Timing, facts: NotificationFacts[K], link: string, listing?: Goods): Told => ({
  kind,
  ...when,
  facts,
  link,
  ...(listing && { listing }),
})

const nothing: Goods = {
  id: '',
  title: 'Bright copper wire',
  town: 'Leeds',
  price: 6_250_00,
  price_basis: 'tonne',
  bid_count: 4,
  ends_at: '',
}
const pick = (goods: readonly Goods[], nth: number): Goods => goods[nth % Math.max(1, goods.length)] ?? nothing
const priced = ({ title, price, price_basis }: Goods) => ({ title, price, price_basis })
const linkTo = ({ id }: Goods) => (id ? `/listings/${id}` : '/listings')

const step = (
  kind: Extract<
    NotificationKind,
    | 'won'
    | 'offered'
    | 'bid_closed'
    | 'listing_progress'
    | 'sold'
    | 'payment'
    | 'exchange'
    | 'amend_or_return'
    | 'sale_stopped'
    | 'kyc'
    | 'vat'
    | 'admin_issue'
  >,
  when: Timing,
  { of, ...facts }: Omit<NotificationFacts['won'], 'title' | 'price' | 'until' | 'reason'> & { of: string; reason?: string },
): Told =>
  tell(
    kind,
    when,
    { ...facts, title: of, price: '£2,480.00', until: null, reason: facts.reason ?? null },
    facts.as === 'seller' ? '/my-listings' : facts.as === 'admin' ? '/listings' : '/activity',
  )

const matched = (when: Timing, goods: Goods, search: string): Told =>
  tell('listing_matched', when, { ...priced(goods), town: goods.town, ends_at: goods.ends_at, search }, linkTo(goods), goods)

const outbid = (when: Timing, goods: Goods): Told =>
  tell('outbid', when, { ...priced(goods), minimum_bid: goods.price + 25_00, ends_at: goods.ends_at }, linkTo(goods), goods)

const daysAhead = (now: Date, days: number) => new Date(now.getTime() + days * 24 * HOUR_MS).toISOString()

const stories: Record<string, (world: World) => Told[]> = {
  buyer: ({ others, now }) => [
    outbid(unread(0.4), pick(others, 0)),
    tell(
      'ending_soon',
      unread(0.7),
      { ...priced(pick(others, 1)), town: pick(others, 1).town, bid_count: pick(others, 1).bid_count, ends_at: pick(others, 1).ends_at },
      linkTo(pick(others, 1)),
      pick(others, 1),
    ),
    matched(unread(2), pick(others, 2), 'Copper within 60 miles'),
    tell('enquiry_matched', unread(3), { title: 'Copper pipe from a refit', summary: '180 kg of copper in S3, 12 miles away.' }, '/market'),
    tell(
      'payment',
      unread(5),
      {
        step: 'kyc_verified',
        as: 'buyer',
        to: 'PendingPayment',
        title: 'Aluminium extrusion offcuts',
        price: '£1,940.00',
        until: null,
        reason: null,
      },
      '/activity',
    ),
    matched(at(9), pick(others, 3), 'Copper within 60 miles'),
    step('won', at(26), { of: 'Aluminium extrusion offcuts', step: 'end_sold', as: 'buyer', to: 'PendingPayment' }),
    step('offered', at(31), { of: 'Brass taps and fittings', step: 'offer_to_next_bidder', as: 'offered', to: 'NextBidder' }),
    step('bid_closed', at(40), { of: 'Lead flashing, stripped', step: 'end_sold', as: 'bidder', to: 'PendingPayment' }),
    tell('deadline_reminder', at(50), { title: 'Stainless sinks and worktops', until: daysAhead(now, -1) }, '/activity'),
    step('exchange', at(54), { of: 'Stainless sinks and worktops', step: 'submit_documents', as: 'buyer', to: 'PendingCollection' }),
    step('amend_or_return', at(60), {
      of: 'Cast aluminium wheels',
      step: 'approve_amend',
      as: 'buyer',
      to: 'ApprovedAmendsDocumentsRequired',
    }),
    step('sale_stopped', at(75), { of: 'Mixed cable, 60 % recovery', step: 'release', as: 'buyer', to: 'DocumentsRequired' }),
    tell(
      'chat_message',
      at(80),
      { from: 'Harker Metals', title: pick(others, 4).title, preview: 'Yes, we can load it with a forklift. When would you come?' },
      linkTo(pick(others, 4)),
      pick(others, 4),
    ),
    tell(
      'enquiry_counter_offer',
      at(96),
      { title: 'Two old boilers', from: 'Price Electrical', price: 140_00, preview: 'Could you do £140 if I help to load?' },
      '/market',
    ),
    tell('enquiry_agreed', at(97), { title: 'Two old boilers', from: 'Price Electrical', price: 140_00 }, '/market'),
    tell('enquiry_closed_for_others', at(120), { title: 'Lead sheet from a roof' }, '/market'),
    tell(
      'licence',
      at(160),
      { document: 'scrap_dealer_licence', outcome: 'approved', expires_at: daysAhead(now, 700) },
      '/account/merchant-documents',
    ),
    tell(
      'subscription',
      at(170),
      {
        news: 'started',
        isTrial: false,
        trial_ends_at: null,
        period_ends_at: daysAhead(now, 23),
        grace_ends_at: null,
        next: 165_00,
        price: 165_00,
      },
      '/account/subscriptions',
    ),
  ],
  seller: ({ own, others, now }) => [
    step('sold', unread(0.6), { of: 'Ferrous OA, 12 tonnes', step: 'end_sold', as: 'seller', to: 'PendingPayment' }),
    tell(
      'chat_message',
      unread(1.5),
      { from: 'Calder Recycling', title: pick(own, 0).title, preview: 'Is the weight from your own bridge?' },
      linkTo(pick(own, 0)),
      pick(own, 0),
    ),
    step('payment', unread(4), { of: 'Zinc offcuts', step: 'paid', as: 'seller', to: 'DocumentsRequired' }),
    tell('deadline_reminder', unread(6), { title: 'Zinc offcuts', until: daysAhead(now, 2) }, '/my-listings'),
    step('amend_or_return', unread(8), { of: 'Light iron, baled', step: 'request_amend', as: 'seller', to: 'ReviewAmend' }),
    step('listing_progress', at(20), { of: pick(own, 1).title, step: 'ready', as: 'seller', to: 'Active' }),
    step('listing_progress', at(30), { of: 'Old lathe, not running', step: 'end_without_bid', as: 'seller', to: 'Expired' }),
    step('exchange', at(44), { of: 'No.2 copper tube', step: 'accept_goods', as: 'seller', to: 'ExchangeComplete' }),
    step('kyc', at(70), { of: 'Brass swarf', step: 'kyc_verified', as: 'seller', to: 'PendingPayment' }),
    tell('vat', at(90), { vat_number: 'GB123456700' }, '/account/view-edit'),
    step('sale_stopped', at(100), { of: 'Catalytic converters, boxed', step: 'flag', as: 'seller', to: 'HasAdminIssue' }),
    tell('enquiry_matched', at(110), { title: 'Cable drums from a site', summary: '400 kg of cable in LS11, 6 miles away.' }, '/market'),
    tell(
      'enquiry_message',
      at(112),
      { title: 'Cable drums from a site', from: 'Price Electrical', preview: 'Any day after four is fine.' },
      '/market',
    ),
    outbid(at(118), pick(others, 0)),
    tell(
      'licence',
      at(150),
      { document: 'scrap_dealer_licence', outcome: 'ends', expires_at: daysAhead(now, 60), days: 60 },
      '/account/merchant-documents',
    ),
    tell(
      'subscription',
      at(165),
      {
        news: 'started',
        isTrial: false,
        trial_ends_at: null,
        period_ends_at: daysAhead(now, 12),
        grace_ends_at: null,
        next: 165_00,
        price: 165_00,
      },
      '/account/subscriptions',
    ),
  ],
  trade: ({ now }) => [
    tell(
      'enquiry_offer',
      unread(0.5),
      { title: 'Copper cable offcuts', from: 'Calder Recycling', price: 320_00, preview: 'We can collect tomorrow morning.' },
      '/market',
    ),
    tell(
      'enquiry_message',
      unread(2),
      { title: 'Copper cable offcuts', from: 'Harker Metals', preview: 'Is it stripped or with the sheath?' },
      '/market',
    ),
    tell('enquiry_ends_soon', unread(7), { title: 'Old distribution boards', ends_at: daysAhead(now, 2) }, '/market'),
    tell('enquiry_offer_withdrawn', at(30), { title: 'Old distribution boards', from: 'Harker Metals' }, '/market'),
    tell('enquiry_agreed', at(55), { title: 'Lead acid batteries, 14', from: 'Calder Recycling', price: 95_00 }, '/market'),
    tell('enquiry_ended', at(140), { title: 'Mixed WEEE from an office' }, '/market'),
  ],
  basic: ({ others }) => [
    matched(unread(1), pick(others, 1), 'Lead'),
    tell(
      'chat_message',
      unread(5),
      { from: 'Calder Recycling', title: pick(others, 2).title, preview: 'Would you take an offer for the whole load?' },
      linkTo(pick(others, 2)),
      pick(others, 2),
    ),
    tell('enquiry_offer_declined', at(48), { title: 'Motors from a workshop', from: 'Price Electrical' }, '/market'),
    tell(
      'licence',
      at(100),
      { document: 'waste_carrier', outcome: 'rejected', reason: 'The second page is missing.' },
      '/account/merchant-documents',
    ),
  ],
  rival: ({ others }) => [
    outbid(unread(0.5), pick(others, 2)),
    step('bid_closed', at(28), { of: 'Stainless sinks and worktops', step: 'end_sold', as: 'bidder', to: 'PendingPayment' }),
    matched(at(33), pick(others, 0), 'Everything near Hull'),
  ],
  admin: () => [
    step('admin_issue', unread(2), { of: 'Catalytic converters, boxed', step: 'flag', as: 'admin', to: 'HasAdminIssue' }),
    tell('admin_money', at(30), { about: 'cash_left_over', company: 'Calder Recycling' }, '/listings'),
    tell('admin_report', at(60), { about: 'a message', reason: 'Asks to pay in cash.', from: 'Harker Metals' }, '/listings'),
  ],
}
