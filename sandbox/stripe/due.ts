import { settleBalances } from '#sandbox/stripe/balance.ts'
import { releaseAuthorisations } from '#sandbox/stripe/payment-intents.ts'
import { settlePayouts } from '#sandbox/stripe/payouts.ts'
import { settleBilling } from '#sandbox/stripe/renewals.ts'
import type { Duty } from '#sandbox/stripe/route.ts'

/** What happens by itself when the clock passes it. */
export const duties: Duty[] = [settleBalances, settlePayouts, releaseAuthorisations, settleBilling]
