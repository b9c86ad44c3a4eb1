import type { Conversation, ConversationSummary, MarketMessage, Offer } from '#contract/market/conversations.ts'
import type { Enquiry, EnquiryFilter, OwnEnquiry } from '#contract/market/enquiries.ts'
import { permissionsOf } from '#contract/values/permissions.ts'
import type { Db } from '#server/db/db.ts'
import { findBlocks, isBlocked } from '#server/features/chat/public.ts'
import {
  presentConversation,
  presentDeal,
  presentMessages,
  presentOffer,
  whyNotSend,
} from '#server/features/market/conversations/present.ts'
import {
  countUnread,
  findConversation,
  findConversations,
  findDeal,
  findMessages,
  findOffer,
  findOffers,
  type ConversationRow,
} from '#server/features/market/records/conversation-rows.ts'
import { enquiryMedia } from '#server/features/market/enquiries/media.ts'
import { presentEnquiry } from '#server/features/market/enquiries/present.ts'
import { findEnquiry, type EnquiryRow } from '#server/features/market/records/enquiry-rows.ts'
import { findOwnEnquiries, searchEnquiries } from '#server/features/market/enquiries/search.ts'
import { cutPage, readListCursor } from '#server/features/market/records/list-cursor.ts'
import { uploadsOf } from '#server/features/storage/public.ts'
import { notFound, refuseField } from '#server/http/errors.ts'
import type { SessionUser } from '#server/http/session.ts'

// The market as one member may see it.

/** The poster sees every conversation about an enquiry; more than this are on the conversations page. */
const MOST_SHOWN = 100
const MESSAGES_A_PAGE = 40
/** How many messages before and after a page are looked at for contact details that were split over several. */
const CONTEXT = 12

type PageQuery = { cursor?: string | undefined; per_page: number }

export function marketReader(db: Db) {
  async function pageOf(rows: EnquiryRow[], viewer: SessionUser, limit: number) {
    const { rows: page, meta } = cutPage(rows, limit, ({ created_at }) => created_at)
    const media = await enquiryMedia(
      db,
      page.map(({ id }) => id),
    )
    return { data: page.map((row) => presentEnquiry(row, viewer, media.get(row.id) ?? [])), meta }
  }

  async function summaries(rows: readonly ConversationRow[], viewerId: string): Promise<ConversationSummary[]> {
    const thumbnails = await uploadsOf(
      db,
      rows.flatMap(({ thumbnail_of }) => thumbnail_of ?? []),
    )
    return rows.map((row) => presentConversation(row, viewerId, thumbnails))
  }

  async function showEnquiry(viewer: SessionUser, id: string): Promise<Enquiry | OwnEnquiry> {
    const canView = permissionsOf(viewer.tier).market_view_enquiry.enabled
    const row = await findEnquiry(db, id, { id: viewer.id, canView })
    if (!row) throw notFound()
    const media = (await enquiryMedia(db, [row.id])).get(row.id) ?? []
    if (row.poster_id !== viewer.id) return presentEnquiry(row, viewer, media, await isBlocked(db, viewer.id, row.poster_id))
    return asOwn(row, viewer, media)
  }

  /** For who has just changed it. */
  async function showOwn(viewer: SessionUser, id: string): Promise<OwnEnquiry> {
    const row = await findEnquiry(db, id, { id: viewer.id, canView: false })
    if (row?.poster_id !== viewer.id) throw notFound()
    return asOwn(row, viewer, (await enquiryMedia(db, [row.id])).get(row.id) ?? [])
  }

  async function asOwn(row: EnquiryRow, viewer: SessionUser, media: Parameters<typeof presentEnquiry>[2]): Promise<OwnEnquiry> {
    const conversations = await findConversations(db, viewer.id, { after: undefined, limit: MOST_SHOWN, enquiryId: row.id })
    const deal = await findDeal(db, viewer.id, row.id)
    return {
      ...presentEnquiry(row, viewer, media),
      offers: (await findOffers(db, { enquiryId: row.id })).map((offer) => presentOffer(offer, viewer.id, row)),
      conversations: await summaries(conversations, viewer.id),
      deal: deal ? presentDeal(deal) : null,
    }
  }

  async function showConversation(viewerId: string, id: string): Promise<Conversation> {
    const row = await findConversation(db, viewerId, id)
    if (!row) throw notFound()
    const other = row.poster_id === viewerId ? row.merchant_id : row.poster_id
    const { byOne, byOther } = await findBlocks(db, viewerId, other)
    const why = whyNotSend(row, byOne || byOther)
    const deal = row.holder_id === row.merchant_id ? await findDeal(db, viewerId, row.enquiry_id) : undefined
    const offers = await findOffers(db, { conversationId: row.id })
    const [summary] = await summaries([row], viewerId)
    if (!summary) throw notFound()
    return {
      ...summary,
      can_send: why === undefined,
      why_not_send: why ?? null,
      can_offer: why === undefined && summary.enquiry.status === 'open',
      has_blocked: byOne,
      deal: deal ? presentDeal(deal) : null,
      offers: offers.map((offer) => presentOffer(offer, viewerId, row, byOne || byOther)),
      server_time: row.now.toISOString(),
    }
  }

  async function messagesOf(viewerId: string, row: ConversationRow, from: number, to: number): Promise<MarketMessage[]> {
    const rows = await findMessages(db, row.id, from - CONTEXT, to + CONTEXT)
    const other = row.poster_id === viewerId ? row.merchant_id : row.poster_id
    const blocked = await isBlocked(db, viewerId, other)
    const offers = await findOffers(db, { conversationId: row.id })
    const view = {
      viewerId,
      isAgreed: row.holder_id === row.merchant_id,
      photos: await uploadsOf(
        db,
        rows.flatMap(({ photos }) => photos),
      ),
      offers: new Map(offers.map((offer): [string, Offer] => [offer.id, presentOffer(offer, viewerId, row, blocked)])),
    }
    return presentMessages(rows, view).filter(({ seq }) => seq >= from && seq <= to)
  }

  return {
    showEnquiry,
    showOwn,
    showConversation,

    async search(viewer: SessionUser, filter: EnquiryFilter, { cursor, per_page }: PageQuery) {
      const rows = await searchEnquiries(db, viewer.id, filter, { after: readListCursor(cursor), limit: per_page + 1 })
      return pageOf(rows, viewer, per_page)
    },

    async own(viewer: SessionUser, { cursor, per_page }: PageQuery) {
      return pageOf(await findOwnEnquiries(db, viewer.id, { after: readListCursor(cursor), limit: per_page + 1 }), viewer, per_page)
    },

    async showOffer(viewerId: string, id: string): Promise<Offer> {
      const offer = await findOffer(db, viewerId, id)
      const conversation = offer && (await findConversation(db, viewerId, offer.conversation_id))
      if (!offer || !conversation) throw notFound()
      return presentOffer(offer, viewerId, conversation)
    },

    async conversations(viewerId: string, { cursor, per_page }: PageQuery) {
      const rows = await findConversations(db, viewerId, { after: readListCursor(cursor), limit: per_page + 1 })
      const { rows: page, meta } = cutPage(rows, per_page, ({ last_at }) => last_at)
      return { data: await summaries(page, viewerId), meta: { ...meta, unread_count: await countUnread(db, viewerId) } }
    },

    /** A page of messages in their order; the cursor leads to older ones. */
    async messages(viewerId: string, id: string, cursor: string | undefined) {
      const row = await findConversation(db, viewerId, id)
      if (!row) throw notFound()
      if (cursor !== undefined && !/^\d{1,9}$/.test(cursor)) throw refuseField('cursor', 'Invalid cursor. Begin again without it.')
      const to = Math.min(cursor === undefined ? row.last_seq : Number(cursor) - 1, row.last_seq)
      const from = Math.max(1, to - MESSAGES_A_PAGE + 1)
      return {
        data: to < 1 ? [] : await messagesOf(viewerId, row, from, to),
        meta: { next_cursor: from > 1 ? String(from) : null, prev_cursor: null, per_page: MESSAGES_A_PAGE },
      }
    },

    async showMessage(viewerId: string, { conversation_id, seq }: { conversation_id: string; seq: number }): Promise<MarketMessage> {
      const row = await findConversation(db, viewerId, conversation_id)
      const [message] = row ? await messagesOf(viewerId, row, seq, seq) : []
      if (!message) throw notFound()
      return message
    },
  }
}
