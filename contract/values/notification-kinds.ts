// The kinds of notifications, by the names that the API uses. domain/notifications/kinds.ts says what each means.

export const notificationChannels = ['in_app', 'email', 'push'] as const
export type NotificationChannel = (typeof notificationChannels)[number]

export const notificationKinds = [
  'outbid',
  'ending_soon',
  'won',
  'offered',
  'bid_closed',
  'listing_progress',
  'sold',
  'payment',
  'deadline_reminder',
  'exchange',
  'amend_or_return',
  'sale_stopped',
  'chat_message',
  'listing_matched',
  'enquiry_matched',
  'enquiry_offer',
  'enquiry_counter_offer',
  'enquiry_offer_declined',
  'enquiry_offer_withdrawn',
  'enquiry_message',
  'enquiry_agreed',
  'enquiry_closed_for_others',
  'enquiry_ends_soon',
  'enquiry_ended',
  'licence',
  'kyc',
  'vat',
  'subscription',
  'admin_issue',
  'admin_money',
  'admin_report',
] as const
export type NotificationKind = (typeof notificationKinds)[number]
