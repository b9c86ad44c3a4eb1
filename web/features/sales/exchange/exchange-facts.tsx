import type { ReactNode } from 'react'
import type { Listing } from '#contract/listings.ts'
import { transferMethods } from '#contract/values/transfer-method.ts'
import { formatAppointment } from '#domain/format-time.ts'
import { Facts } from '#web/ui/facts.tsx'

/** When and where the goods change hands, in which vehicle, and how to reach the other side. */
export function ExchangeFacts({ listing }: { listing: Listing }) {
  const { exchange, counterparty, address, transfer_method_id, is_owner } = listing
  const isCollected = transfer_method_id === transferMethods.Collection
  const rows: [string, ReactNode][] = [
    ['Collection', isCollected && when(exchange?.slot)],
    ['Arrives', !isCollected && when(exchange?.eta)],
    [
      'Vehicle',
      exchange?.vehicle && (
        <span key="vehicle" className="tabular text-16">
          {exchange.vehicle}
        </span>
      ),
    ],
    ['Weighed', exchange?.weigh_at_buyer && 'At the buyer’s'],
    ['Handed over', when(exchange?.received_at)],
    [
      'Reason of the return',
      exchange?.return_reason && (
        <p key="reason" className="text-left">
          {exchange.return_reason}
        </p>
      ),
    ],
    ['Back', when(exchange?.return_eta)],
    // the owner knows where the goods stand
    ['Pick-up address', !is_owner && counterparty && <Address key="address" address={address} />],
    ['Contact', counterparty && <Contact key="contact" counterparty={counterparty} />],
  ]
  if (!exchange && !counterparty?.contact_number && !counterparty?.email) return null
  return <Facts title="Exchange" rows={rows} />
}

const when = (moment: string | null | undefined) =>
  moment && (
    <time key={moment} dateTime={moment}>
      {formatAppointment(new Date(moment))}
    </time>
  )

function Address({ address }: Pick<Listing, 'address'>) {
  if (!address) return null
  const { address_line_1, address_line_2, town, post_code, latitude, longitude } = address
  return (
    <a
      className="link inline-block py-1"
      href={`https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`}
      target="_blank"
      rel="noopener noreferrer"
    >
      {[address_line_1, address_line_2, town, post_code].filter(Boolean).join(', ')}
    </a>
  )
}

/** Known once the sale is paid. */
function Contact({
  counterparty: { company_name, contact_name, contact_number, email },
}: {
  counterparty: NonNullable<Listing['counterparty']>
}) {
  return (
    <>
      {contact_name ? `${contact_name}, ${company_name}` : company_name}
      {contact_number && (
        <a className="link flex min-h-11 items-center justify-end" href={`tel:${contact_number.replaceAll(/[^\d+]/g, '')}`}>
          {contact_number}
        </a>
      )}
      {email && (
        <a className="link flex min-h-11 items-center justify-end" href={`mailto:${email}`}>
          {email}
        </a>
      )}
    </>
  )
}
