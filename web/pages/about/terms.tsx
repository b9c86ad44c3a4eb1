import { LegalPage } from '#web/pages/about/legal-page.tsx'

const parts = [
  [
    'Who may trade',
    'Businesses in the United Kingdom, companies and individuals alike, whose owner is 18 or older. You answer for what is done with your login.',
  ],
  [
    'What you list',
    'It is yours to sell, described as it is, and weighed honestly. Buying scrap metal takes a scrap dealer licence; nobody pays cash for scrap.',
  ],
  ['Bids bind', 'A bid is an offer until the listing ends. Whoever wins pays within the time that is shown.'],
  [
    'Payment and handover',
    'Payments go through Stripe. Goods are handed over after payment, by collection or delivery. What differs from the listing is settled by amends or a return.',
  ],
  ['Subscription', 'Full is paid by the month and can be cancelled at any time. Basic and Seller cost nothing.'],
  ['When we step in', 'We may remove a listing or suspend an account that breaks these terms or the law, and say why.'],
] as const

export default function TermsPage() {
  return <LegalPage title="Terms and conditions" which="terms_url" parts={parts} />
}
