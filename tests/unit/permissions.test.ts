import assert from 'node:assert/strict'
import { test } from 'node:test'
import { permissions, permissionsOf, tiers, type Permission, type Tier } from '#contract/permissions.ts'

// SPEC §6, typed again from the customer's table: 13 permissions × full, basic, seller
const cells: Record<Permission, [full: boolean, basic: boolean, seller: boolean]> = {
  auction_create: [true, true, true],
  auction_view: [true, true, true],
  auction_search: [true, true, true],
  auction_bid: [true, false, false],
  auction_send_m2m_chat: [true, false, true],
  auction_receive_m2m_chat: [true, true, false],
  market_view_enquiry: [true, true, false],
  market_send_message_to_enquiry: [true, false, true],
  market_get_notifications: [true, false, false],
  tradesperson_visible_on_map: [true, true, false],
  requirements_upload_scrap_license: [true, true, true],
  requirements_approve_scrap_license: [true, true, true],
  create_enquiry: [true, true, true],
}

test('there are 13 permissions and three tiers', () => {
  assert.equal(permissions.length, 13)
  assert.deepEqual(tiers, ['full', 'basic', 'seller'])
})

for (const [permission, [full, basic, seller]] of Object.entries(cells) as [Permission, [boolean, boolean, boolean]][]) {
  for (const [tier, enabled] of Object.entries({ full, basic, seller }) as [Tier, boolean][]) {
    test(`${tier} ${enabled ? 'has' : 'has not'} ${permission}`, () => assert.equal(permissionsOf(tier)[permission].enabled, enabled))
  }
}
