import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkAccess, checkMoneyCall } from '#server/http/serve.ts'
import type { SessionUser } from '#server/http/session.ts'
import type { SignedIn } from '#server/http/viewer.ts'
import { permissions, permissionsOf, tiers, type Permission, type Tier } from '#contract/values/permissions.ts'

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

const member = (user: Partial<SessionUser>): SignedIn => ({
  caller: 'member',
  user: { tier: 'basic', role: null, ...user } as SessionUser,
  tokenHash: Buffer.alloc(32),
  isPasswordFresh: true,
})

test('a route with a permission lets in the tiers that have it, and names it to the others', () => {
  for (const [tier, enabled] of [
    ['full', true],
    ['basic', false],
    ['seller', false],
  ] as const) {
    const visit = () => checkAccess(member({ tier }), 'member', 'auction_bid')
    if (enabled) assert.doesNotThrow(visit)
    else
      assert.throws(
        visit,
        (error: { status?: number; message?: string }) => error.status === 403 && /auction_bid/.test(error.message ?? ''),
      )
  }
})

for (const [role, access, status] of [
  [null, 'staff', 404],
  [null, 'admin', 404],
  ['support', 'staff', undefined],
  ['support', 'admin', 403],
  ['admin', 'staff', undefined],
  ['admin', 'admin', undefined],
] as const) {
  test(`a route for ${access}, called by a member with the role ${role}, answers ${status ?? 'the caller'}`, () => {
    const visit = () => checkAccess(member({ role }), access, undefined)
    if (status === undefined) assert.doesNotThrow(visit)
    else assert.throws(visit, { status })
  })
}

for (const [isPasswordFresh, headers, code] of [
  [false, {}, 'reauthentication_required'],
  [false, { 'idempotency-key': 'a' }, 'reauthentication_required'],
  [true, {}, 'idempotency_key_missing'],
  [true, { 'idempotency-key': '' }, 'idempotency_key_missing'],
  [true, { 'idempotency-key': 'a' }, undefined],
] as const) {
  const when = `${isPasswordFresh ? 'a fresh' : 'an old'} password and the headers ${JSON.stringify(headers)}`
  test(`a call that moves money, with ${when}, answers ${code ?? 'the caller'}`, () => {
    const call = () => checkMoneyCall({ viewer: { ...member({ role: 'admin' }), isPasswordFresh }, headers })
    if (code === undefined) assert.doesNotThrow(call)
    else assert.throws(call, { code })
  })
}
