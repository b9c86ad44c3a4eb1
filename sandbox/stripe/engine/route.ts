import type { ClientBase } from 'pg'
import type Stripe from 'stripe'
import type { Access } from '#sandbox/stripe/http/access.ts'
import type { Form } from '#sandbox/stripe/http/form.ts'
import type { Store } from '#sandbox/stripe/engine/store.ts'

export type Route = {
  method: 'GET' | 'POST' | 'DELETE'
  /** `/v1/customers/:id`: what stands for a name arrives in `context.params`. */
  path: string
  /** 'secret' when absent. */
  access?: Access
  handle: (context: Context) => Promise<object>
}

export type Context = Work & {
  params: Record<string, string>
  form: Form
  /** The body as it came, for the sandbox's own calls in JSON. */
  rawBody: string
  /** A browser asks: it must show the client_secret of what it touches. */
  isPublishable: boolean
  url: URL
}

/** What a request has, and what falls due has too. */
export type Work = {
  store: Store
  /** Seconds since 1970 by app_now(). */
  now: number
  client: ClientBase
  /** Where people's browsers find the sandbox: `http://localhost:3101`. */
  publicBase: string
  /** Writes an event for the webhook, with the object as it is now. */
  emit: (type: Stripe.Event['type'], object: object, more?: EventMore) => Promise<void>
  /** Tells the rest of the sandbox (billing) that an intent was just written with a new status or a new error. */
  follow: Follower
}

export type Intent = Stripe.PaymentIntent | Stripe.SetupIntent
type Follower = (intent: Intent) => Promise<void>
/** `async (work, intent) => …`: what an intent's change means elsewhere, such as an invoice that is now paid. */
export type IntentFollower = (work: Work, intent: Intent) => Promise<void>

export type EventMore = { account?: string; previous?: object }

/** What happens when the clock passes it. */
export type Duty = (work: Work) => Promise<void>

/** Fields that Stripe only includes when `expand` names them: `'customer.cash_balance': (work, customer) => …`. */
export type Expanders = Record<string, (work: Work, object: never) => Promise<unknown>>

/** All that the sandbox answers and does: put together in api.ts. */
export type Api = {
  /** The first row that fits a request is taken. */
  routes: Route[]
  expanders: Expanders
  /** Called when an intent changes. */
  followers: IntentFollower[]
  /** Run whenever the clock may have passed something. */
  duties: Duty[]
}
