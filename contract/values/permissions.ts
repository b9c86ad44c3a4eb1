// SPEC §6: what each subscription tier may do.

export const permissions = [
  'auction_create',
  'auction_view',
  'auction_search',
  'auction_bid',
  'auction_send_m2m_chat',
  'auction_receive_m2m_chat',
  'market_view_enquiry',
  'market_send_message_to_enquiry',
  'market_get_notifications',
  'tradesperson_visible_on_map',
  'requirements_upload_scrap_license',
  'requirements_approve_scrap_license',
  'create_enquiry',
] as const

export type Permission = (typeof permissions)[number]

export const permissionsByTier = {
  full: permissions,
  basic: [
    'auction_create',
    'auction_view',
    'auction_search',
    'auction_receive_m2m_chat',
    'market_view_enquiry',
    'tradesperson_visible_on_map',
    'requirements_upload_scrap_license',
    'requirements_approve_scrap_license',
    'create_enquiry',
  ],
  seller: [
    'auction_create',
    'auction_view',
    'auction_search',
    'auction_send_m2m_chat',
    'market_send_message_to_enquiry',
    'requirements_upload_scrap_license',
    'requirements_approve_scrap_license',
    'create_enquiry',
  ],
} as const satisfies Record<string, readonly Permission[]>

export type Tier = keyof typeof permissionsByTier
export const tiers = Object.keys(permissionsByTier) as [Tier, ...Tier[]]

export type Permissions = Record<Permission, { enabled: boolean }>

export function permissionsOf(tier: Tier): Permissions {
  const granted: readonly Permission[] = permissionsByTier[tier]
  return Object.fromEntries(permissions.map((name) => [name, { enabled: granted.includes(name) }])) as Permissions
}

/** Who runs the marketplace. `support` sees what `admin` sees, and moves no money and changes no settings. */
export const roles = ['support', 'admin'] as const

export type Role = (typeof roles)[number]
