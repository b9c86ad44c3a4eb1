import type { ListingStatus } from '#contract/values/listing-status.ts'
import type { Words } from '#domain/notifications/kinds.ts'
import type { StepNews, StepReader } from '#domain/notifications/step-words.ts'
import { stepLetters } from '#domain/notifications/steps-until-sold.ts'
import type { StepName } from '#domain/sales/listing-machine-table.ts'

/** A step of a listing as its reader is told of it. */
export type StepFacts = StepNews & { step: StepName; as: StepReader; to: ListingStatus }

export function stepWords({ step, as, ...news }: StepFacts): Words {
  const words = stepLetters[step]?.[as]?.(news) ?? { subject: news.title, says: [] }
  return { title: words.subject, says: words.says, action: 'Open the listing' }
}
