import type { AvailableAction, Listing, Paper } from '#contract/listings.ts'
import type { Role } from '#contract/values/permissions.ts'
import { gbp } from '#domain/format.ts'
import { availableActions } from '#domain/sales/listing-machine.ts'
import type { StepName } from '#domain/sales/listing-machine-table.ts'
import { deadlineWords } from '#domain/sales/listing-step-words.ts'
import type { Life } from '#server/features/sales/life/facts.ts'
import {
  presentAmend,
  presentFee,
  presentPayment,
  presentPayout,
  presentRefunds,
  type SaleDetails,
} from '#server/features/sales/sale-details.ts'

// What a sale is to its two parties, and to an admin. Nobody else's listings are looked at this closely.

type Sale = Pick<
  Listing,
  | 'amounts'
  | 'counterparty'
  | 'deadline'
  | 'available_actions'
  | 'former_status'
  | 'payment'
  | 'holding_fee'
  | 'handover_code'
  | 'exchange'
  | 'amends'
  | 'refunds'
  | 'payouts'
  | 'papers'
  | 'user_deferred_payment'
> & { isPaid: boolean }

export const noSale: Sale = {
  amounts: null,
  counterparty: null,
  deadline: null,
  available_actions: [],
  former_status: null,
  payment: null,
  holding_fee: null,
  handover_code: null,
  exchange: null,
  amends: [],
  refunds: [],
  payouts: [],
  papers: [],
  user_deferred_payment: null,
  isPaid: false,
}

export type SaleView = { viewer: { id: string; role: Role | null }; details: SaleDetails | undefined; papers: Paper[] }

export function presentSale(life: Life, { viewer, details, papers }: SaleView): Sale {
  const { row, facts } = life
  const role = roleOf(row, viewer)
  if (!role) return noSale
  const isBuyer = role === 'buyer'
  const isOnlyLooking = role === 'admin' && viewer.role !== 'admin'
  const isPaid = row.award !== null && row.award.paid_at !== null
  return {
    amounts: presentAmounts(life),
    counterparty: details && role !== 'admin' ? counterpartyOf(isBuyer ? details.seller : details.buyer, isPaid) : null,
    deadline: deadlineOf(life),
    available_actions: isOnlyLooking ? [] : (availableActions(row.status, role, facts) as AvailableAction[]),
    former_status: row.status === 'HasAdminIssue' ? row.former_status : null,
    payment: isBuyer && details ? presentPayment(details.payment) : null,
    holding_fee: isBuyer && details ? presentFee(details.holding_fee) : null,
    handover_code: isBuyer && row.status === 'PendingCollection' ? (row.exchange?.handover_code ?? null) : null,
    exchange: presentExchange(row.exchange),
    amends: details?.amends.map(presentAmend) ?? [],
    refunds: details ? presentRefunds(details.refunds) : [],
    payouts: !isBuyer && details ? details.payouts.map(presentPayout) : [],
    papers,
    user_deferred_payment: row.award?.deferred_expires_at ? { expires_at: isoOf(row.award.deferred_expires_at) } : null,
    isPaid,
  }
}

function roleOf({ seller_id, buyer_id }: Life['row'], { id, role }: SaleView['viewer']) {
  if (seller_id === id) return 'seller'
  if (buyer_id === id) return 'buyer'
  return role === null ? undefined : 'admin'
}

const isoOf = (text: string) => new Date(text).toISOString()
const isoOrNull = (text: string | null) => text && isoOf(text)

function presentAmounts({ row, facts }: Life): Listing['amounts'] {
  const { award, money, status } = row
  if (!award || !money) return null
  const { goods, vat, total, charges_vat } = award
  const vat_rate = charges_vat ? award.vat_rate : 0
  const due = dueNow.includes(status) ? facts.due : 0
  const { received, refunded } = money
  return {
    goods: gbp(goods),
    vat: gbp(vat),
    vat_rate,
    total: gbp(total),
    paid: gbp(received),
    refunded: gbp(refunded),
    due: gbp(due),
  }
}

const dueNow: readonly string[] = ['PendingPayment', 'BalanceDue', 'DeferredPayment']

function presentExchange(exchange: Life['row']['exchange']): Listing['exchange'] {
  if (!exchange) return null
  const { slot, reschedules, eta, vehicle, weigh_at_buyer, seller_weight_kg, buyer_weight_kg, received_at, return_reason, return_eta } =
    exchange
  return {
    slot: isoOrNull(slot),
    reschedules,
    eta: isoOrNull(eta),
    vehicle,
    weigh_at_buyer,
    seller_weight_kg,
    buyer_weight_kg,
    received_at: isoOrNull(received_at),
    return_reason,
    return_eta: isoOrNull(return_eta),
  }
}

/** Names and numbers are for after the payment (RULES §6). */
function counterpartyOf(contact: SaleDetails['buyer'], isPaid: boolean): Listing['counterparty'] {
  const { id, company_name, contact_name, contact_number, email } = contact
  return {
    id,
    company_name,
    contact_name: isPaid ? contact_name : null,
    contact_number: isPaid ? contact_number : null,
    email: isPaid ? email : null,
  }
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
