/** Stripe's test cards, as its documentation describes them. No other number is accepted, and none is ever stored. */
export type Behaviour = {
  /** Refused wherever the card is asked: attached, set up or charged. */
  decline?: Decline
  /** Accepted everywhere, refused when money is taken. */
  declineCharge?: Decline
  /** The cardholder must confirm: every time, until the card was set up for later payments, or when at the screen. */
  authenticate?: 'always' | 'unless_set_up' | 'on_session'
  /** A refund is pending and succeeds a day later, or succeeds and fails a day later. */
  refund?: 'succeeds_later' | 'fails_later'
  /** The cardholder disputes it as soon as it is paid. */
  dispute?: 'fraudulent' | 'product_not_received' | 'inquiry'
  /** The money needs no days to become available. */
  isAvailableAtOnce?: true
}
export type Decline = { code: string; decline_code?: string; message: string }

const declined = (decline_code: string, message = 'Your card was declined.'): Decline => ({ code: 'card_declined', decline_code, message })
const unfunded = declined('insufficient_funds', 'Your card has insufficient funds.')

const behaviours = {
  succeeds: {},
  generic_decline: { decline: declined('generic_decline') },
  insufficient_funds: { decline: unfunded },
  lost_card: { decline: declined('lost_card') },
  stolen_card: { decline: declined('stolen_card') },
  fraudulent: { decline: declined('fraudulent') },
  card_velocity_exceeded: {
    decline: declined(
      'card_velocity_exceeded',
      'Your card was declined for making repeated attempts too frequently or exceeding its amount limit.',
    ),
  },
  expired_card: { decline: { code: 'expired_card', message: 'Your card has expired.' } },
  incorrect_cvc: { decline: { code: 'incorrect_cvc', message: "Your card's security code is incorrect." } },
  processing_error: {
    decline: { code: 'processing_error', message: 'An error occurred while processing your card. Try again in a little bit.' },
  },
  charge_fails: { declineCharge: declined('generic_decline') },
  authenticate_until_set_up: { authenticate: 'unless_set_up' },
  authenticate_on_session: { authenticate: 'on_session' },
  authenticate_always: { authenticate: 'always' },
  authenticate_then_decline: { authenticate: 'always', declineCharge: declined('generic_decline') },
  authenticate_then_insufficient_funds: { authenticate: 'always', declineCharge: unfunded },
  disputed_as_fraudulent: { dispute: 'fraudulent' },
  disputed_as_not_received: { dispute: 'product_not_received' },
  inquired_about: { dispute: 'inquiry' },
  refund_succeeds_later: { refund: 'succeeds_later' },
  refund_fails_later: { refund: 'fails_later' },
  available_at_once: { isAvailableAtOnce: true },
} as const satisfies Record<string, Behaviour>

type BehaviourName = keyof typeof behaviours
export type TestCard = { brand: string; funding: 'credit' | 'debit' | 'prepaid'; behaviour: BehaviourName }

const visa = (behaviour: BehaviourName): TestCard => ({ brand: 'visa', funding: 'credit', behaviour })
const good = (brand: string, funding: TestCard['funding'] = 'credit'): TestCard => ({ brand, funding, behaviour: 'succeeds' })

export const testCards: Record<string, TestCard> = {
  '4242424242424242': good('visa'),
  '4000056655665556': good('visa', 'debit'),
  '4000008260000000': good('visa'),
  '4000058260000005': good('visa', 'debit'),
  '4000000000003055': good('visa'),
  '5555555555554444': good('mastercard'),
  '2223003122003222': good('mastercard'),
  '5200828282828210': good('mastercard', 'debit'),
  '5105105105105100': good('mastercard', 'prepaid'),
  '378282246310005': good('amex'),
  '371449635398431': good('amex'),
  '6011111111111117': good('discover'),
  '3056930009020004': good('diners'),
  '3566002020360505': good('jcb'),
  '6200000000000005': good('unionpay'),
  '4000000000000077': visa('available_at_once'),
  '4000000000000002': visa('generic_decline'),
  '4000000000009995': visa('insufficient_funds'),
  '4000000000009987': visa('lost_card'),
  '4000000000009979': visa('stolen_card'),
  '4000000000000069': visa('expired_card'),
  '4000000000000127': visa('incorrect_cvc'),
  '4000000000000119': visa('processing_error'),
  '4000000000006975': visa('card_velocity_exceeded'),
  '4100000000000019': visa('fraudulent'),
  '4000000000000341': visa('charge_fails'),
  '4000002500003155': visa('authenticate_until_set_up'),
  '4000003800000446': visa('authenticate_on_session'),
  '4000002760003184': visa('authenticate_always'),
  '4000000000003220': visa('authenticate_always'),
  '4000000000003063': visa('authenticate_always'),
  '4000008400001629': visa('authenticate_then_decline'),
  '4000008260003178': visa('authenticate_then_insufficient_funds'),
  '4000000000007726': visa('refund_succeeds_later'),
  '4000000000005126': visa('refund_fails_later'),
  '4000000000000259': visa('disputed_as_fraudulent'),
  '4000000000002685': visa('disputed_as_not_received'),
  '4000000000001976': visa('inquired_about'),
}

/** Names that stand for a card in test requests: `payment_method=pm_card_visa`. */
export const namedCards: Record<string, string> = {
  pm_card_visa: '4242424242424242',
  pm_card_gb: '4000008260000000',
  pm_card_mastercard: '5555555555554444',
  pm_card_bypassPending: '4000000000000077',
  pm_card_visa_chargeDeclined: '4000000000000002',
  pm_card_chargeDeclined: '4000000000000002',
  pm_card_visa_chargeDeclinedInsufficientFunds: '4000000000009995',
  pm_card_chargeDeclinedInsufficientFunds: '4000000000009995',
  pm_card_chargeCustomerFail: '4000000000000341',
  pm_card_authenticationRequired: '4000002760003184',
  pm_card_authenticationRequiredOnSetup: '4000002500003155',
  pm_card_pendingRefund: '4000000000007726',
  pm_card_refundFail: '4000000000005126',
  pm_card_createDispute: '4000000000000259',
  pm_card_createDisputeInquiry: '4000000000001976',
}

/** The check digit that every card number ends with. */
export function hasCheckDigit(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, at) => {
    const twice = Number(digit) * (at % 2 === 1 ? 2 : 1)
    return total + (twice > 9 ? twice - 9 : twice)
  }, 0)
  return /^\d{12,19}$/.test(number) && sum % 10 === 0
}

/** How the card of this stored name behaves. */
export const behaviourNamed = (name: string): Behaviour => (behaviours as Record<string, Behaviour>)[name] ?? {}
