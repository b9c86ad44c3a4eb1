import { Check, Minus } from 'lucide-react'
import { permissions, permissionsByTier, tiers, type Permission, type Tier } from '#contract/values/permissions.ts'

export const tierNames: Record<Tier, string> = { full: 'Full', basic: 'Basic', seller: 'Seller' }

const does: Record<Permission, string> = {
  auction_create: 'Create listings',
  auction_view: 'View listings',
  auction_search: 'Search listings',
  auction_bid: 'Bid',
  auction_send_m2m_chat: 'Open a chat with a merchant',
  auction_receive_m2m_chat: 'Be contacted by merchants',
  market_view_enquiry: 'View enquiries from tradespeople',
  market_send_message_to_enquiry: 'Message about an enquiry',
  market_get_notifications: 'Be told of new enquiries',
  tradesperson_visible_on_map: 'See tradespeople on the map',
  requirements_upload_scrap_license: 'Upload a scrap dealer licence',
  requirements_approve_scrap_license: 'Have the licence approved',
  create_enquiry: 'Create enquiries',
}

/** SPEC §6 as a table to read. */
export function TierTable({ mine }: { mine?: Tier | undefined }) {
  return (
    <div className="overflow-x-auto">
      <table className="w-full">
        <caption className="sr-only">What each tier may do</caption>
        <thead>
          <tr className="border-b border-control">
            <th scope="col" className="py-2 text-left">
              What you may do
            </th>
            {tiers.map((tier) => (
              <th key={tier} scope="col" className={`w-14 py-2 text-center md:w-24 ${tier === mine ? 'text-primary' : ''}`}>
                {tierNames[tier]}
                {tier === mine && <span className="block text-12">Yours</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {permissions.map((permission) => (
            <tr key={permission} className="border-b border-line">
              <th scope="row" className="py-2 pr-4 text-left font-normal text-wrap">
                {does[permission]}
              </th>
              {tiers.map((tier) => (
                <td key={tier} className={`text-center ${tier === mine ? 'bg-primary-soft' : ''}`}>
                  <Answer isYes={(permissionsByTier[tier] as readonly Permission[]).includes(permission)} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Answer({ isYes }: { isYes: boolean }) {
  const Icon = isYes ? Check : Minus
  return (
    <>
      <Icon className={`mx-auto size-4 ${isYes ? 'text-success' : 'text-muted'}`} strokeWidth={isYes ? 3 : 2} aria-hidden="true" />
      <span className="sr-only">{isYes ? 'Yes' : 'No'}</span>
    </>
  )
}
