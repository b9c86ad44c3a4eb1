import type Stripe from 'stripe'
import { emptyList } from '#sandbox/stripe/engine/lists.ts'
import { missingOf, noRequirements, requirementsOf, type Answers } from '#sandbox/stripe/connect/onboarding.ts'
import { emptyAddress } from '#sandbox/stripe/payments/payment-method-make.ts'
import type { Work } from '#sandbox/stripe/engine/route.ts'
import { newId } from '#sandbox/stripe/engine/store.ts'

type New = { type: Stripe.Account['type']; country: string; email: string | null; answers: Answers }

export function blankAccount({ now }: Work, { type, country, email, answers }: New): Stripe.Account {
  const id = newId('acct', 16)
  const due = missingOf(answers)
  return {
    id,
    object: 'account',
    business_profile: {
      annual_revenue: null,
      estimated_worker_count: null,
      mcc: null,
      minority_owned_business_designation: null,
      name: null,
      product_description: answers['business_profile.product_description'] ?? null,
      specified_commercial_transactions_act_url: null,
      support_address: { ...emptyAddress },
      support_email: null,
      support_phone: null,
      support_url: null,
      url: null,
    },
    business_type: answers['business_type'] ?? null,
    capabilities: {},
    charges_enabled: false,
    controller: {
      fees: { payer: 'application_express' },
      is_controller: true,
      losses: { payments: 'application' },
      requirement_collection: 'stripe',
      stripe_dashboard: { type: 'express' },
      type: 'application',
    },
    country,
    created: now,
    default_currency: 'gbp',
    details_submitted: false,
    email,
    external_accounts: emptyList(`/v1/accounts/${id}/external_accounts`),
    future_requirements: noRequirements,
    metadata: {},
    payouts_enabled: false,
    requirements: { ...requirementsOf(answers, 'open'), currently_due: due },
    settings: blankSettings,
    tos_acceptance: { date: null, ip: null, user_agent: null },
    type,
  }
}

const blankSettings: Stripe.Account.Settings = {
  bacs_debit_payments: { display_name: null, service_user_number: null },
  branding: { icon: null, logo: null, primary_color: null, secondary_color: null },
  card_issuing: { tos_acceptance: { date: null, ip: null } },
  card_payments: {
    decline_on: { avs_failure: false, cvc_failure: false },
    statement_descriptor_prefix: null,
    statement_descriptor_prefix_kana: null,
    statement_descriptor_prefix_kanji: null,
  },
  dashboard: { display_name: null, timezone: 'Etc/UTC' },
  invoices: { default_account_tax_ids: null, hosted_payment_method_save: null },
  payments: {
    statement_descriptor: null,
    statement_descriptor_kana: null,
    statement_descriptor_kanji: null,
    statement_descriptor_prefix_kana: null,
    statement_descriptor_prefix_kanji: null,
  },
  payouts: { debit_negative_balances: true, schedule: { delay_days: 3, interval: 'daily' }, statement_descriptor: null },
  sepa_debit_payments: {},
}
