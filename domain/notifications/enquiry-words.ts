import { formatPence } from '#domain/format.ts'
import { formatMoment } from '#domain/format-time.ts'
import type { Words } from '#domain/notifications/kinds.ts'

/** An enquiry and what happened to it. `title` is the enquiry's, `from` the company that acted, `preview` is masked already. */
export type EnquiryFacts = {
  title: string
  from?: string
  /** '850 kg of copper in M1, 12 miles away', as far as it is known. */
  summary?: string
  price?: number
  collect_at?: string | null
  preview?: string
  ends_at?: string
  reason?: string
}

type EnquiryWords = (facts: EnquiryFacts) => Words

const words =
  (title: (facts: EnquiryFacts) => string, action: string, ...says: ((facts: EnquiryFacts) => string | undefined)[]): EnquiryWords =>
  (facts) => ({ title: title(facts), says: says.map((say) => say(facts)).filter((line) => line !== undefined), action })

const someone = ({ from }: EnquiryFacts) => from ?? 'A merchant'
const price = ({ price: pence }: EnquiryFacts) => (pence === undefined ? '' : ` ${formatPence(pence)}`)
const collection = ({ collect_at }: EnquiryFacts) => (collect_at ? `Collection: ${formatMoment(new Date(collect_at))}.` : undefined)
const preview = ({ preview: said }: EnquiryFacts) => said || undefined

const READ = 'Open the conversation'

export const enquiryWords = {
  matched: words(
    ({ title }) => `New enquiry: ${title}`,
    'Grab the deal',
    ({ summary }) => summary,
    () => 'It matches your material preferences. The first offer that is accepted gets the deal.',
  ),
  offer: words((facts) => `${someone(facts)} offers${price(facts)} for ${facts.title}`, READ, preview, collection),
  counterOffer: words((facts) => `${someone(facts)} asks for${price(facts)}: ${facts.title}`, READ, preview, collection),
  declined: words(
    (facts) => `Offer declined: ${facts.title}`,
    READ,
    (facts) => `${someone(facts)} declined your offer. You can make another.`,
  ),
  withdrawn: words(
    (facts) => `Offer withdrawn: ${facts.title}`,
    READ,
    (facts) => `${someone(facts)} has withdrawn the offer.`,
  ),
  message: words((facts) => `${someone(facts)} wrote about ${facts.title}`, 'Read and answer', preview),
  agreed: words(
    (facts) => `Deal agreed: ${facts.title}`,
    READ,
    (facts) => `You agreed${price(facts) ? ` on${price(facts)}` : ''} with ${facts.from ?? 'the other side'}.`,
    collection,
    () => 'The conversation now shows how to reach each other.',
  ),
  closedForOthers: words(
    (facts) => `Gone to another: ${facts.title}`,
    'See other enquiries',
    () => 'The deal was agreed with another merchant. Your offer no longer stands.',
  ),
  endsSoon: words(
    (facts) => `Your enquiry ends soon: ${facts.title}`,
    'Extend it',
    ({ ends_at }) => (ends_at ? `It ends on ${formatMoment(new Date(ends_at))}. Extend it if you still have the material.` : undefined),
  ),
  ended: words(
    (facts) => `Enquiry ended: ${facts.title}`,
    'Open the market',
    ({ reason }) => reason ?? 'The enquiry has ended without a deal.',
  ),
} satisfies Record<string, EnquiryWords>
