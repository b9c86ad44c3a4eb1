import type { FastifyInstance } from 'fastify'
import { configEndpoints, configOptions } from '#contract/config.ts'
import { FILES_PER_PICK_MAX, MERCHANT_DOCUMENTS_MAX } from '#contract/values/limits.ts'
import { gbp } from '#domain/format.ts'
import type { Db } from '#server/db/db.ts'
import type { ReadSetting } from '#server/features/settings/public.ts'
import type { Cookies } from '#server/http/cookies.ts'
import { serve } from '#server/http/serve.ts'
import type { Payment } from '#server/providers/payment.ts'

export type ConfigDeps = {
  db: Db
  config: { privacyUrl: string; termsUrl: string; supportEmail: string; sandbox: boolean }
  readSetting: ReadSetting
  cookies: Cookies
  payment: Payment
  appVersion: string
  pushPublicKey: string | null
}

const shown = [
  'trial_available_until',
  'trial_months',
  'subscription_price',
  'listing_durations',
  'listing_min_duration',
  'listing_max_duration',
  'late_bid_window',
  'late_bid_extension',
  'appointment_max_ahead',
  'vat_rate',
  'amend_tolerance',
  'card_payment_limit',
  'image_max_bytes',
  'video_max_bytes',
  'document_max_bytes',
] as const

export function configRoutes(
  app: FastifyInstance,
  { db, config, readSetting, cookies, payment, appVersion, pushPublicKey }: ConfigDeps,
): void {
  serve(app, configEndpoints, {
    'GET /api/v1/config': async () => {
      const { now, values } = await readSetting.withClock(db, shown)
      return {
        data: {
          trial_available_until: values.trial_available_until,
          trial_months: values.trial_months,
          subscription_price: gbp(values.subscription_price),
          ...configOptions,
          listing_durations: values.listing_durations,
          listing_min_duration: values.listing_min_duration,
          listing_max_duration: values.listing_max_duration,
          late_bid_window: values.late_bid_window,
          late_bid_extension: values.late_bid_extension,
          appointment_max_ahead: values.appointment_max_ahead,
          vat_rate: values.vat_rate,
          amend_tolerance: values.amend_tolerance,
          card_payment_limit: gbp(values.card_payment_limit),
          upload_limits: {
            image_max_bytes: values.image_max_bytes,
            video_max_bytes: values.video_max_bytes,
            document_max_bytes: values.document_max_bytes,
            files_per_pick: FILES_PER_PICK_MAX,
            merchant_documents: MERCHANT_DOCUMENTS_MAX,
          },
          stripe: { publishable_key: payment.publishableKey, api_base: payment.apiBase },
          push_public_key: pushPublicKey,
          privacy_url: config.privacyUrl,
          terms_url: config.termsUrl,
          support_email: config.supportEmail,
          sandbox: config.sandbox,
          app_version: appVersion,
          server_time: now.toISOString(),
        },
      }
    },

    'GET /sanctum/csrf-cookie': async ({ viewer, reply }) => cookies.setCsrf(reply, viewer.tokenHash),
  })
}
