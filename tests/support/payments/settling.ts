import assert from 'node:assert/strict'
import { acts, clientOf, newMember, type Merchant } from '#tests/support/auctions/sale.ts'
import { bankCall } from '#tests/support/payments/paying.ts'
import { confirmed, moneyOf, newBuyer, openSaleMoney, paid, pay, sold, TOTAL, transferIn } from '#tests/support/payments/sale-money.ts'

export const ASKS_EVERY_TIME = '4000002760003184'
export const REFUNDED_SLOWLY = '4000000000007726'
export const AVAILABLE_AT_ONCE = '4000000000000077'

/** A yard where sales are settled: fees, refunds, payouts, chargebacks. */
export async function openSettling() {
  const { yard, seller } = await openSaleMoney({ payment_window: '240h' })
  const admin = await newMember(yard, { role: 'admin' })

  const fees = async (id: string) => (await moneyOf(yard, 'holding_fees', id)).map(({ status }) => status)
  const refunds = async (id: string) => (await moneyOf(yard, 'refunds', id)).map(({ amount, status }) => [amount, status])
  const payouts = async (id: string) => (await moneyOf(yard, 'seller_payouts', id)).map(({ amount, status }) => [amount, status])
  const subjectsTo = async (who: Merchant) => (await yard.outbox.list(who.email)).map(({ subject }) => subject)
  // a session that was not used for days is over
  const as = ({ id }: Merchant) => clientOf(yard, id)
  const askFee = ({ client }: Merchant, id: string) => client.post(`/api/v1/listings/${id}/holding-fee`)

  /** Paid by card, or by a bank transfer. */
  async function bought(by: Merchant, from = seller, card?: string | null): Promise<string> {
    const id = await sold(yard, from, by)
    if (card === null) {
      const { bank_details } = await paid(pay(by, id, 'bank_transfer'))
      await transferIn(yard, by, TOTAL, bank_details.reference)
    } else await confirmed(yard, (await paid(pay(by, id, 'card'))).client_secret, card)
    return id
  }

  /** An admin ends the sale. */
  async function resolved(id: string, resolution: string, status: string, more: object = {}): Promise<void> {
    await acts(await as(admin), id, 'raise_issue', 'HasAdminIssue', { reason: 'Looked at' })
    await acts(await as(admin), id, 'resolve', status, { resolution, ...more })
    await yard.bankSettled()
  }

  async function disputed(id: string): Promise<string> {
    const [{ charge_id }] = await moneyOf(yard, 'sale_payments', id)
    const dispute = await bankCall(yard, 'POST', '/sandbox/disputes', { charge: charge_id })
    await yard.bankSettled()
    return dispute.id
  }

  /** A cancelled sale whose refund the bank refused. */
  async function cancelledWithFailedRefund(): Promise<string> {
    const id = await bought(await newBuyer(yard), seller, REFUNDED_SLOWLY)
    await acts(await as(seller), id, 'cancel_sale', 'Expired', { reason: 'Sold elsewhere' })
    await yard.bankSettled()
    await bankCall(yard, 'POST', `/sandbox/refunds/${(await moneyOf(yard, 'refunds', id))[0].provider_id}`, { outcome: 'fail' })
    await yard.bankSettled()
    assert.deepEqual(await refunds(id), [[TOTAL, 'failed']])
    return id
  }

  return { admin, as, askFee, bought, cancelledWithFailedRefund, disputed, fees, payouts, refunds, resolved, seller, subjectsTo, yard }
}
