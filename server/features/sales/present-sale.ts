import type { AvailableAction, Listing } from '#contract/listings.ts'
import { gbp } from '#domain/format.ts'
import { availableActions } from '#domain/sales/listing-machine.ts'
import { isLive } from '#domain/sales/listing-machine-live.ts'
import type { StepName } from '#domain/sales/listing-machine-table.ts'
import { deadlineWords } from '#domain/sales/listing-step-words.ts'
import { amountsOf } from '#server/features/sales/action-checks.ts'
import type { Life } from '#server/features/sales/facts.ts'

// What a sale is to its two parties. Nobody else's listings are looked at this closely.

type Sale = Pick<Listing, 'amounts' | 'counterparty' | 'deadline' | 'available_actions'>

export const noSale: Sale = { amounts: null, counterparty: null, deadline: null, available_actions: [] }

type Companies = ReadonlyMap<string, string>

export function presentSale(life: Life, viewerId: string, vatRate: number, companies: Companies): Sale {
  const { row, facts } = life
  const role = row.seller_id === viewerId ? 'seller' : row.buyer_id === viewerId ? 'buyer' : undefined
  if (!role) return noSale
  return {
    amounts: presentAmounts(life, vatRate),
    counterparty: counterpartyOf(role === 'seller' ? row.buyer_id : row.seller_id, row.buyer_id !== null, companies),
    deadline: deadlineOf(life),
    available_actions: availableActions(row.status, role, facts).filter(({ action }) => isLive(action)) as AvailableAction[],
  }
}

function presentAmounts({ row }: Life, vatRate: number): Listing['amounts'] {
  const amounts = amountsOf(row, vatRate)
  if (!amounts) return null
  const { goods, vat, total } = amounts
  const due = row.status === 'PendingPayment' ? total : 0
  return { goods: gbp(goods), vat: gbp(vat), total: gbp(total), paid: gbp(0), refunded: gbp(0), due: gbp(due) }
}

function counterpartyOf(id: string | null, hasAward: boolean, companies: Companies): Listing['counterparty'] {
  return id !== null && hasAward ? { id, company_name: companies.get(id) ?? '' } : null
}

/** The earliest clock that somebody can do something about. */
function deadlineOf({ facts }: Life): Listing['deadline'] {
  const running = Object.entries(facts.due_at).flatMap(([step, at]) => {
    const action = deadlineWords[step as StepName]
    return action && at && at > facts.now ? [{ action, at }] : []
  })
  const [first] = running.sort((one, other) => one.at.getTime() - other.at.getTime())
  return first ? { action: first.action, at: first.at.toISOString() } : null
}
