import type { ConversationSummary, Deal, MarketMessage, Offer } from '#contract/market/conversations.ts'
import type { MediaItem } from '#contract/storage.ts'
import { maskContactDetails } from '#contract/values/contact-details.ts'
import { materials } from '#contract/values/materials.ts'
import { formatPence, gbp } from '#domain/format.ts'
import { statusNow, whyNotAnswer, whyNotOpen, whyNotWithdraw } from '#domain/market/deal-rules.ts'
import type { ConversationRow, DealRow, MessageRow, OfferRow } from '#server/features/market/records/conversation-rows.ts'
import { presentMaterial, presentMember } from '#server/features/market/enquiries/present.ts'

type EnquiryClock = Pick<ConversationRow, 'status' | 'ends_at' | 'now'>

/** `isBlocked` stops answers of either side. */
export function presentOffer(row: OfferRow, viewerId: string, enquiry: EnquiryClock, isBlocked = false): Offer {
  const offer = { status: row.status, isOwn: row.maker_id === viewerId }
  const isAnswerable = !isBlocked && whyNotAnswer(offer, enquiry, enquiry.now) === undefined
  return {
    id: row.id,
    status: row.status,
    conversation_id: row.conversation_id,
    enquiry_id: row.enquiry_id,
    mine: offer.isOwn,
    price: gbp(row.price),
    collect_at: row.collect_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    decided_at: row.decided_at?.toISOString() ?? null,
    can_accept: isAnswerable,
    can_decline: isAnswerable,
    can_withdraw: whyNotWithdraw(offer) === undefined,
    can_counter: isAnswerable,
  }
}

export function presentConversation(
  row: ConversationRow,
  viewerId: string,
  thumbnails: ReadonlyMap<string, MediaItem>,
): ConversationSummary {
  const isHolder = row.holder_id === row.merchant_id
  return {
    id: row.id,
    enquiry: {
      id: row.enquiry_id,
      title: row.title,
      status: statusNow(row, row.now),
      material_group: materials[row.material_id].group,
      town: row.town,
      thumbnail: (row.thumbnail_of && thumbnails.get(row.thumbnail_of)?.thumbnail_url) || null,
    },
    with: presentMember(row.other),
    is_poster: row.poster_id === viewerId,
    is_holder: isHolder,
    last_message:
      row.last_message_at && row.last_body !== null
        ? {
            body: inShort(row, isHolder || row.last_sender_id === viewerId),
            mine: row.last_sender_id === viewerId,
            at: row.last_message_at.toISOString(),
          }
        : null,
    open_price: row.open_price === null ? null : gbp(row.open_price),
    unread_count: row.unread_count,
    last_at: row.last_at.toISOString(),
  }
}

function inShort({ last_body, last_price, last_has_photos }: ConversationRow, isOpen: boolean): string {
  const [masked = ''] = maskContactDetails([last_body ?? ''])
  const text = isOpen ? (last_body ?? '') : masked
  if (last_price !== null) return `Offer: ${formatPence(last_price)}${text ? `. ${text}` : ''}`
  return text || (last_has_photos ? 'Photo' : '')
}

type MessageView = {
  viewerId: string
  /** Whether the two have a deal: from then on nothing is masked. */
  isAgreed: boolean
  photos: ReadonlyMap<string, MediaItem>
  offers: ReadonlyMap<string, Offer>
}

/** Messages in their order. Contact details are masked for the other side until the two have a deal; a number may be split over several. */
export function presentMessages(rows: readonly MessageRow[], { viewerId, isAgreed, photos, offers }: MessageView): MarketMessage[] {
  const masked = isAgreed ? new Map<string, string>() : maskedBodies(rows)
  return rows.map((row) => {
    const shown = masked.get(row.id) ?? row.body
    const mine = row.sender_id === viewerId
    return {
      id: row.id,
      seq: row.seq,
      body: mine ? row.body : shown,
      mine,
      read_at: row.read_at?.toISOString() ?? null,
      created_at: row.created_at.toISOString(),
      attachments: row.photos.flatMap((id) => photos.get(id) ?? []),
      is_masked: shown !== row.body,
      offer: (row.offer_id && offers.get(row.offer_id)) || null,
    }
  })
}

function maskedBodies(rows: readonly MessageRow[]): Map<string, string> {
  return new Map(
    [...Map.groupBy(rows, ({ sender_id }) => sender_id).values()].flatMap((sent) => {
      const bodies = maskContactDetails(sent.map(({ body }) => body))
      return sent.map(({ id }, nth): [string, string] => [id, bodies[nth] ?? ''])
    }),
  )
}

export const presentDeal = (row: DealRow): Deal => ({
  offer_id: row.offer_id,
  conversation_id: row.conversation_id,
  title: row.title,
  material: presentMaterial(row.material_id),
  weight_kg: row.weight_kg,
  price: gbp(row.price),
  collect_at: row.collect_at?.toISOString() ?? null,
  agreed_at: row.agreed_at.toISOString(),
  accepted_by: row.accepted_by,
  counterparty: row.counterparty,
  address: {
    address_line_1: row.address_line_1,
    address_line_2: row.address_line_2,
    town: row.town,
    county: row.county,
    post_code: row.post_code,
    latitude: row.latitude,
    longitude: row.longitude,
  },
})

/** Why nothing more can be sent in a conversation; the parties of a deal go on writing. */
export const whyNotSend = (row: ConversationRow, isBlocked: boolean): string | undefined => {
  if (isBlocked) return 'One of you has blocked the other, so no messages can be sent.'
  return row.holder_id === row.merchant_id ? undefined : whyNotOpen(row, row.now)
}
