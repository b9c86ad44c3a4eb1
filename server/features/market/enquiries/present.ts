import type { Enquiry } from '#contract/market/enquiries.ts'
import type { MarketMember } from '#contract/market/conversations.ts'
import type { MediaItem } from '#contract/storage.ts'
import { materials, type MaterialId } from '#contract/values/materials.ts'
import { permissionsOf } from '#contract/values/permissions.ts'
import { statusNow, whyNotEditEnquiry, whyNotOpen } from '#domain/market/deal-rules.ts'
import type { EnquiryRow, LockedEnquiry, MemberFacts } from '#server/features/market/records/enquiry-rows.ts'
import type { SessionUser } from '#server/http/session.ts'

/** An enquiry as one viewer may see it: nobody but the poster and the holder of the deal sees the address. */
export function presentEnquiry(row: EnquiryRow, viewer: SessionUser, media: readonly MediaItem[], isBlocked = false): Enquiry {
  const is_mine = row.poster_id === viewer.id
  const status = statusNow(row, row.now)
  const why = is_mine ? 'You posted this enquiry.' : whyNotMessage(row, viewer, isBlocked)
  return {
    id: row.id,
    status,
    ended_by: status === 'ended' ? (row.ended_by ?? 'time') : null,
    title: row.title,
    description: row.description,
    material: presentMaterial(row.material_id),
    weight_kg: row.weight_kg,
    available_from: row.available_from,
    location: {
      town: row.town,
      post_code_district: row.district,
      latitude: hundredth(row.district_latitude),
      longitude: hundredth(row.district_longitude),
      distance_miles: row.miles === null ? null : Math.round(row.miles),
    },
    media: [...media],
    poster: presentMember(row.member),
    is_mine,
    created_at: row.created_at.toISOString(),
    ends_at: row.ends_at.toISOString(),
    offer_count: row.offer_count,
    conversation_id: row.conversation_id,
    can_edit: is_mine && whyNotEditEnquiry(row, row.now) === undefined,
    can_extend: is_mine && status === 'open',
    can_close: is_mine && status === 'open',
    can_message: why === undefined,
    why_not_message: why ?? null,
    address: is_mine || row.holder_id === viewer.id ? presentAddress(row) : null,
    server_time: row.now.toISOString(),
  }
}

function whyNotMessage(row: EnquiryRow, viewer: SessionUser, isBlocked: boolean): string | undefined {
  if (isBlocked) return BLOCKED
  const isClosed = whyNotOpen(row, row.now)
  if (row.conversation_id !== null) return isClosed && row.holder_id !== viewer.id ? isClosed : undefined
  if (isClosed) return isClosed
  return permissionsOf(viewer.tier).market_send_message_to_enquiry.enabled
    ? undefined
    : 'Offers and questions about enquiries come with Full.'
}

export const BLOCKED = 'One of you has blocked the other, so no messages and no offers can be sent.'

export const presentMaterial = (id: MaterialId) => {
  const { name, group, is_scrap } = materials[id]
  return { id, name, group, is_scrap }
}

export const presentMember = (facts: MemberFacts): MarketMember => ({
  ...facts,
  member_since: new Date(facts.member_since).toISOString(),
})

export const presentAddress = ({ address_line_1, address_line_2, town, county, post_code, latitude, longitude }: LockedEnquiry) => ({
  address_line_1,
  address_line_2,
  town,
  county,
  post_code,
  latitude,
  longitude,
})

const hundredth = (degrees: number) => Math.round(degrees * 100) / 100
