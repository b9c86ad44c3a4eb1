import { sql } from 'kysely'
import type { EnquiryStatus } from '#contract/market/conversations.ts'
import { maskContactDetails } from '#contract/values/contact-details.ts'
import { materials } from '#contract/values/materials.ts'
import { formatWeight } from '#domain/format.ts'
import { rowsOf, type Tx } from '#server/db/db.ts'
import type { LockedConversation, OfferRow } from '#server/features/market/records/conversation-rows.ts'
import type { LockedEnquiry } from '#server/features/market/records/enquiry-rows.ts'
import { markSourceRead, notify } from '#server/features/notifications/public.ts'
import { tellOfConversations, tellOfEnquiry } from '#server/live/outbox.ts'

// Whom the market tells of what, in the transaction that makes it true.

/** Everything about one conversation has a source that begins with this: reading it reads its notifications. */
const sourceOf = (conversationId: string) => `market:${conversationId}:`

const conversationLink = (id: string) => `/market/conversation/${id}`
const enquiryLink = (id: string) => `/market/listing/${id}`

/** Where pages about enquiries stand in the live stream: those who look at the market read it again. */
export async function announceEnquiry(tx: Tx, enquiryId: string): Promise<void> {
  const { rows } = await sql<{ status: EnquiryStatus; title: string }>`select status, title from enquiries where id = ${enquiryId}`.execute(
    tx,
  )
  if (rows[0]) await tellOfEnquiry(rowsOf(tx), { enquiry_id: enquiryId, ...rows[0] })
}

type ConversationNews = { conversation: LockedConversation; enquiry: Pick<LockedEnquiry, 'id' | 'title'>; fromId: string; from: string }

const otherSide = ({ conversation, fromId }: ConversationNews) =>
  conversation.poster_id === fromId ? conversation.merchant_id : conversation.poster_id

/** The last of its transaction: both sides' open pages read the conversation again. */
export const refreshConversations = (tx: Tx, ...conversations: readonly LockedConversation[]): Promise<void> =>
  tellOfConversations(
    rowsOf(tx),
    conversations.map(({ id, enquiry_id, poster_id, merchant_id, last_seq }) => ({
      conversation_id: id,
      enquiry_id,
      seq: last_seq,
      parties: [poster_id, merchant_id],
    })),
  )

export async function tellMessage(tx: Tx, news: ConversationNews, { seq, body }: { seq: number; body: string }): Promise<void> {
  const { conversation, enquiry, from } = news
  await notify(tx, {
    kind: 'enquiry_message',
    to: otherSide(news),
    source: `${sourceOf(conversation.id)}${seq}`,
    facts: { title: enquiry.title, from, preview: previewOf(body) },
    link: conversationLink(conversation.id),
  })
}

export async function tellOffer(tx: Tx, news: ConversationNews, { offer, body }: { offer: OfferRow; body: string }): Promise<void> {
  const { conversation, enquiry, from, fromId } = news
  await notify(tx, {
    kind: fromId === conversation.poster_id ? 'enquiry_counter_offer' : 'enquiry_offer',
    to: otherSide(news),
    source: `${sourceOf(conversation.id)}offer:${offer.id}`,
    facts: {
      title: enquiry.title,
      from,
      price: offer.price,
      collect_at: offer.collect_at?.toISOString() ?? null,
      preview: previewOf(body),
    },
    link: conversationLink(conversation.id),
  })
}

export async function tellAnswer(tx: Tx, news: ConversationNews, offerId: string, answer: 'declined' | 'withdrawn'): Promise<void> {
  const { conversation, enquiry, from } = news
  await notify(tx, {
    kind: answer === 'declined' ? 'enquiry_offer_declined' : 'enquiry_offer_withdrawn',
    to: otherSide(news),
    source: `${sourceOf(conversation.id)}${answer}:${offerId}`,
    facts: { title: enquiry.title, from },
    link: conversationLink(conversation.id),
  })
}

type Agreement = {
  enquiry: LockedEnquiry
  conversation: LockedConversation
  offer: OfferRow
  /** Company names of the two. */
  names: ReadonlyMap<string, string>
  /** Everybody else who asked or offered. */
  others: readonly string[]
}

/** Both sides get the record; everybody else hears that the deal is gone. */
export async function tellAgreed(tx: Tx, { enquiry, conversation, offer, names, others }: Agreement): Promise<void> {
  const { poster_id, merchant_id } = conversation
  for (const [to, with_] of [
    [poster_id, merchant_id],
    [merchant_id, poster_id],
  ] as const) {
    await notify(tx, {
      kind: 'enquiry_agreed',
      to,
      source: `${sourceOf(conversation.id)}agreed`,
      facts: {
        title: enquiry.title,
        from: names.get(with_) ?? '',
        price: offer.price,
        collect_at: offer.collect_at?.toISOString() ?? null,
      },
      link: conversationLink(conversation.id),
    })
  }
  await notify(tx, {
    kind: 'enquiry_closed_for_others',
    to: others,
    source: `enquiry:${enquiry.id}:agreed`,
    facts: { title: enquiry.title },
    link: '/market',
  })
}

export async function tellEndsSoon(tx: Tx, enquiry: LockedEnquiry): Promise<void> {
  await notify(tx, {
    kind: 'enquiry_ends_soon',
    to: enquiry.poster_id,
    source: `enquiry:${enquiry.id}:ends:${enquiry.ends_at.toISOString()}`,
    facts: { title: enquiry.title, ends_at: enquiry.ends_at.toISOString() },
    link: enquiryLink(enquiry.id),
  })
}

type Ending = { ended_by: 'poster' | 'time'; offerers: readonly string[] }

/** The poster hears of an end by time; whoever had an open offer hears of either. */
export async function tellEnded(tx: Tx, enquiry: LockedEnquiry, { ended_by, offerers }: Ending): Promise<void> {
  const about = { kind: 'enquiry_ended', source: `enquiry:${enquiry.id}:ended` } as const
  if (ended_by === 'time') {
    const reason = 'Its time is over, and no offer was accepted. You can post it again.'
    await notify(tx, { ...about, to: enquiry.poster_id, facts: { title: enquiry.title, reason }, link: enquiryLink(enquiry.id) })
  }
  const reason = ended_by === 'time' ? 'Its time is over, and no offer was accepted.' : 'The member who posted it has closed it.'
  await notify(tx, { ...about, to: offerers, facts: { title: enquiry.title, reason }, link: '/market' })
}

type Match = { enquiry: LockedEnquiry; to: readonly string[] }

export async function tellMatched(tx: Tx, { enquiry, to }: Match): Promise<void> {
  const { name, group } = materials[enquiry.material_id]
  const what = name === group ? name : `${group}, ${name}`
  await notify(tx, {
    kind: 'enquiry_matched',
    to,
    source: `enquiry:${enquiry.id}`,
    facts: {
      title: enquiry.title,
      summary: `${what}${enquiry.weight_kg === null ? '' : `, about ${formatWeight(enquiry.weight_kg)}`}, in ${enquiry.town} (${enquiry.district}).`,
    },
    link: enquiryLink(enquiry.id),
  })
}

export const readConversationNews = (tx: Tx, userId: string, conversationId: string): Promise<void> =>
  markSourceRead(tx, userId, sourceOf(conversationId))

const PREVIEW_MAX = 140

function previewOf(body: string): string {
  const [masked = ''] = maskContactDetails([body])
  return masked.length > PREVIEW_MAX ? `${masked.slice(0, PREVIEW_MAX).toWellFormed()}…` : masked
}
