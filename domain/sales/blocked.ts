/** Why somebody may not bid or list for now: stored with the user, and said to them. */
export const blocked = {
  missedPayments: 'You missed payments, so you cannot bid for now. Contact us.',
  overdue: 'A payment of yours is overdue. Pay it, and you can bid again at once.',
  cancelledSales: 'You cancelled sales, so you cannot list for now. Contact us.',
  owesUs: 'A refund of an earlier sale is more than your payment account holds. It is taken from your next payouts.',
} as const
