import { Handshake } from 'lucide-react'
import type { Deal } from '#contract/market/conversations.ts'
import { formatPence, formatWeight } from '#domain/format.ts'
import { formatAppointment } from '#domain/format-time.ts'
import { materialInWords } from '#web/cards/words.ts'
import { collectInWords } from '#web/features/market/data/words.ts'
import { Facts } from '#web/ui/facts.tsx'

/** What was agreed, and how to reach each other: for the two parties only. */
export function DealRecord({ deal }: { deal: Deal }) {
  const { counterparty: other, address } = deal
  return (
    <section aria-labelledby="deal" className="grid gap-2 rounded-base border-l-4 border-l-success bg-success-soft px-4 py-3">
      <h2 id="deal" className="flex items-center gap-2 text-16">
        <Handshake className="size-5 text-success" strokeWidth={1.75} aria-hidden="true" />
        Deal agreed on {formatAppointment(new Date(deal.agreed_at))}
      </h2>
      <Facts
        rows={[
          [
            'Price',
            <span key="price" className="tabular text-20 font-strong">
              {formatPence(deal.price.value)}
            </span>,
          ],
          ['What', `${deal.title}, ${materialInWords(deal.material)}`],
          ['Weight', deal.weight_kg === null ? null : `About ${formatWeight(deal.weight_kg)}`],
          ['Collection', collectInWords(deal.collect_at)],
          ['With', `${other.company_name}, ${other.contact_name}`],
          [
            'Phone',
            <a key="phone" className="link" href={`tel:${other.contact_number.replaceAll(' ', '')}`}>
              {other.contact_number}
            </a>,
          ],
          [
            'Email',
            <a key="email" className="link" href={`mailto:${other.email}`}>
              {other.email}
            </a>,
          ],
          ['Where', [address.address_line_1, address.address_line_2, address.town, address.post_code].filter(Boolean).join(', ')],
        ]}
      />
    </section>
  )
}
