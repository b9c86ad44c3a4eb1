// The accounts of the ledger, and what each kind of movement does to them. Debits are above zero, credits below.

export const ledgerAccounts = {
  provider_clearing: 'What the provider holds for us: its balance, to the penny',
  provider_fees: "The provider's own fees",
  subscription_income: 'Subscriptions earned',
  customer_credit: 'What users have in credit for their next invoice',
  buyer_funds: 'Paid by buyers for goods, not yet anybody else’s',
  seller_payable: 'Owed to sellers',
  seller_receivable: 'Owed by sellers: taken back from them, and not covered by their account',
  seller_fees: 'Our fees of sales',
  holding_fees: 'Holding fees captured',
  chargebacks: 'Taken back by card holders, not yet decided',
  chargeback_losses: 'Chargebacks that were lost',
  payouts_in_transit: 'On the way from the provider to our bank',
  payouts_failed: 'Payouts that our bank sent back, until they are explained',
  platform_bank: 'Arrived at our bank',
  provider_cash: 'Sent by buyers and held by the provider in their cash balances, outside its balance for us',
  unallocated: 'Received from buyers for no sale that expects it: it goes back to them',
  suspense: 'Moved for a reason that we do not know yet',
} as const

export type LedgerAccount = keyof typeof ledgerAccounts

/** Why somebody paid: the `purpose` in the metadata of a payment. */
export const purposeAccounts = {
  subscription: 'subscription_income',
  goods: 'buyer_funds',
  balance_due: 'buyer_funds',
  holding_fee: 'holding_fees',
} as const satisfies Record<string, LedgerAccount>

export type Purpose = keyof typeof purposeAccounts

export const isPurpose = (text: string | undefined): text is Purpose => text !== undefined && Object.hasOwn(purposeAccounts, text)

/** A line of the provider's own balance: `amount` before its `fee`, both signed as the provider signs them. */
export type Movement = { type: string; amount: number; fee: number; purpose: Purpose | null }

type Other = LedgerAccount | 'by purpose'

/** The provider's types of balance transactions → the account on the other side of the clearing account. */
const otherSide: Readonly<Record<string, Other>> = {
  charge: 'by purpose',
  payment: 'by purpose',
  refund: 'by purpose',
  payment_refund: 'by purpose',
  refund_failure: 'by purpose',
  payment_failure_refund: 'by purpose',
  payment_reversal: 'by purpose',
  transfer: 'seller_payable',
  transfer_refund: 'seller_payable',
  transfer_cancel: 'seller_payable',
  transfer_failure: 'seller_payable',
  payout: 'payouts_in_transit',
  payout_cancel: 'payouts_in_transit',
  payout_failure: 'payouts_failed',
  dispute: 'chargebacks',
  dispute_reversal: 'chargebacks',
  stripe_fee: 'provider_fees',
  stripe_fx_fee: 'provider_fees',
  tax_fee: 'provider_fees',
  topup: 'platform_bank',
  topup_reversal: 'platform_bank',
}

export type Entry = { account: LedgerAccount; amount: number }

/** What a line of the provider's balance does: its net is the provider's, its fee is gone, the rest is whose it is. */
export function entriesOf({ type, amount, fee, purpose }: Movement): Entry[] {
  const other = otherSide[type] ?? 'suspense'
  const account = other === 'by purpose' ? (purpose ? purposeAccounts[purpose] : 'suspense') : other
  const entries: Entry[] = [
    { account: 'provider_clearing', amount: amount - fee },
    { account: 'provider_fees', amount: fee },
    { account, amount: -amount },
  ]
  return entries.filter((entry) => entry.amount !== 0)
}

/** What moves between our own accounts while the provider's balance stays: kind → from credit to debit. */
export const ownMovements = {
  payout_arrived: { debit: 'platform_bank', credit: 'payouts_in_transit' },
  payout_came_back: { debit: 'payouts_failed', credit: 'platform_bank' },
  payout_never_arrived: { debit: 'payouts_failed', credit: 'payouts_in_transit' },
  chargeback_lost: { debit: 'chargeback_losses', credit: 'chargebacks' },
  // lost like a refund that the card's bank has made: the sale's money pays for it
  chargeback_from_sale: { debit: 'buyer_funds', credit: 'chargeback_losses' },
  chargeback_from_fee: { debit: 'holding_fees', credit: 'chargeback_losses' },
  sale_completed: { debit: 'buyer_funds', credit: 'seller_payable' },
  fee_shared: { debit: 'holding_fees', credit: 'seller_payable' },
  sale_taken_back: { debit: 'seller_payable', credit: 'buyer_funds' },
  fee_taken_back: { debit: 'seller_payable', credit: 'holding_fees' },
  sale_not_covered: { debit: 'seller_receivable', credit: 'buyer_funds' },
  fee_not_covered: { debit: 'seller_receivable', credit: 'holding_fees' },
  sale_owed_no_more: { debit: 'buyer_funds', credit: 'seller_receivable' },
  fee_owed_no_more: { debit: 'holding_fees', credit: 'seller_receivable' },
  receivable_netted: { debit: 'seller_payable', credit: 'seller_receivable' },
  payment_too_late: { debit: 'buyer_funds', credit: 'unallocated' },
  payment_allocated: { debit: 'unallocated', credit: 'buyer_funds' },
  credit_given: { debit: 'subscription_income', credit: 'customer_credit' },
  credit_used: { debit: 'customer_credit', credit: 'subscription_income' },
} as const satisfies Record<string, { debit: LedgerAccount; credit: LedgerAccount }>

export type OwnMovement = keyof typeof ownMovements

export const ownEntries = (kind: OwnMovement, amount: number): Entry[] => [
  { account: ownMovements[kind].debit, amount },
  { account: ownMovements[kind].credit, amount: -amount },
]

/** A movement of a buyer's cash balance, signed as the provider signs it: what is there belongs to no sale yet. */
export const cashEntries = (net: number): Entry[] => [
  { account: 'provider_cash', amount: net },
  { account: 'unallocated', amount: -net },
]
