import type Stripe from 'stripe'
import { invalid } from '#sandbox/stripe/http/errors.ts'
import type { Context, Route } from '#sandbox/stripe/engine/route.ts'
import { letters } from '#sandbox/stripe/engine/store.ts'

const LINK_SECONDS = 5 * 60

export const accountLinkRoutes: Route[] = [
  {
    method: 'POST',
    path: '/v1/account_links',
    handle: async ({ store, form, now, publicBase }): Promise<Stripe.AccountLink> => {
      const account = await store.need('account', form.required('account'), 'account')
      const type = form.oneOf('type', ['account_onboarding', 'account_update'] as const)
      if (!type) throw invalid('Missing required param: type.', { code: 'parameter_missing', param: 'type' })
      if (type === 'account_update' && account.controller?.requirement_collection === 'stripe') {
        throw invalid('You cannot create `account_update` type Account Links for this account. Use `account_onboarding`.', {
          param: 'type',
        })
      }
      const urls = {
        refresh_url: webAddress(form.required('refresh_url'), 'refresh_url'),
        return_url: webAddress(form.required('return_url'), 'return_url'),
      }
      const id = letters(24)
      form.allow('collect', 'collection_options')
      await store.put('hidden.account_link', { id, account: account.id, expires_at: now + LINK_SECONDS, used: false, ...urls })
      return { object: 'account_link', created: now, expires_at: now + LINK_SECONDS, url: `${publicBase}/sandbox/connect/${id}` }
    },
  },
  {
    method: 'POST',
    path: '/v1/accounts/:id/login_links',
    handle: async ({ store, params, now, publicBase }: Context): Promise<Stripe.LoginLink> => {
      const account = await store.need('account', params['id'] ?? '')
      if (!account.details_submitted) throw invalid('Cannot create a login link for an account that has not completed onboarding.')
      const id = letters(24)
      await store.put('hidden.login_link', { id, account: account.id, expires_at: now + LINK_SECONDS, used: false })
      return { object: 'login_link', created: now, url: `${publicBase}/sandbox/express/${id}` }
    },
  },
]

function webAddress(text: string, param: string): string {
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return text
  throw invalid('Not a valid URL', { code: 'url_invalid', param })
}
