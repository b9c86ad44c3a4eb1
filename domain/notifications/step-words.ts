import type { ListingStatus } from '#contract/values/listing-status.ts'
import type { StepName } from '#domain/sales/listing-machine-table.ts'

/** `price` reads '£250.00' or '£6,500.00 a tonne', `until` '18 November at 16:30'. */
export type StepNews = { title: string; price: string; until: string | null; reason: string | null; to: ListingStatus }
/** Who somebody is to a step: `offered` is whom it made an offer to, `buyer` who was the buyer when it was taken. */
export type StepReader = 'seller' | 'buyer' | 'offered' | 'bidder' | 'admin'

export type Letter = (news: StepNews) => { subject: string; says: string[] }
export type StepLetters = Partial<Record<StepName, Partial<Record<StepReader, Letter>>>>

export const stopped: Record<'seller' | 'buyer' | 'admin', Letter> = {
  seller: ({ title }) => ({
    subject: `We are looking at your listing: ${title}`,
    says: ['It is stopped until we have. We get in touch if we need anything.'],
  }),
  buyer: ({ title }) => ({
    subject: `We are looking at your purchase: ${title}`,
    says: ['It is stopped until we have. Nothing is due meanwhile.'],
  }),
  admin: ({ title }) => ({
    subject: `A listing needs a look: ${title}`,
    says: ['It was stopped by a rule, and waits for the back office.'],
  }),
}
