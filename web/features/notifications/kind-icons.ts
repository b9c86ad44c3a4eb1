import {
  BadgeCheck,
  Banknote,
  Bell,
  CircleCheck,
  Clock,
  CreditCard,
  Gavel,
  Handshake,
  MessageSquare,
  Package,
  ShieldAlert,
  Store,
  Truck,
  Undo2,
  type LucideIcon,
} from 'lucide-react'
import type { NotificationKind } from '#contract/values/notification-kinds.ts'

/** For notifications without a picture. */
const icons: Partial<Record<NotificationKind, LucideIcon>> = {
  outbid: Gavel,
  ending_soon: Clock,
  won: CircleCheck,
  offered: Gavel,
  bid_closed: Gavel,
  listing_progress: Package,
  sold: Handshake,
  payment: Banknote,
  deadline_reminder: Clock,
  exchange: Truck,
  amend_or_return: Undo2,
  sale_stopped: ShieldAlert,
  chat_message: MessageSquare,
  listing_matched: Package,
  enquiry_message: MessageSquare,
  enquiry_agreed: Handshake,
  licence: BadgeCheck,
  kyc: BadgeCheck,
  vat: BadgeCheck,
  subscription: CreditCard,
}

export const iconOf = (kind: NotificationKind): LucideIcon => icons[kind] ?? (kind.startsWith('enquiry_') ? Store : Bell)
