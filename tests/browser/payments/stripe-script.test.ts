import type { Page } from '@playwright/test'
import { part } from '#tests/browser/support/payments.ts'
import { apiBase } from '#tests/browser/support/provider.ts'
import { ownAccount } from '#tests/browser/support/account.ts'
import { expect, expectAccessible, test } from '#tests/browser/support/visit.ts'

// With real keys the card form is Stripe's own field, from Stripe's own script. Here that script is a stand-in, which hands the card
// to the sandbox; the sandbox's security policy names no address of Stripe's.
test.use({ bypassCSP: true })

const script = 'https://js.stripe.com/**'

async function openCardForm(page: Page) {
  await page.route('**/api/v1/config', async (route) => {
    const { data } = (await (await route.fetch()).json()) as { data: object }
    await route.fulfill({ json: { data: { ...data, stripe: { publishable_key: 'pk_test_stand_in', api_base: null } } } })
  })
  await page.goto('/account/subscriptions')
  const section = part(page, 'Card for the holding fee')
  await section.getByRole('button', { name: 'Add a card' }).click()
  return section
}

test(
  'a script of Stripe that does not load is only logged: the form stays unavailable, the page works',
  { tag: '@wide' },
  async ({ page }) => {
    await ownAccount(page)
    const logged: string[] = []
    page.on('console', (message) => logged.push(message.text()))
    await page.route(script, (route) => route.abort())
    const section = await openCardForm(page)
    await expect.poll(() => logged.join('\n')).toContain('the card form did not load')
    await expect(section.getByRole('button', { name: 'Save card' })).toBeDisabled()
    await expect(page.getByRole('alert')).toHaveCount(0)
    await expect(page.getByText('Error', { exact: true })).toHaveCount(0)
    await section.getByRole('button', { name: 'Cancel' }).click()
    await expect(section.getByRole('button', { name: 'Add a card' })).toBeEnabled()
  },
)

test(
  'Stripe’s own field takes the card: what it refuses stands under it, what it confirms is saved',
  { tag: '@phone' },
  async ({ page }) => {
    await ownAccount(page)
    await page.route(script, async (route) => route.fulfill({ contentType: 'text/javascript', body: standIn(await apiBase()) }))
    const section = await openCardForm(page)
    const save = section.getByRole('button', { name: 'Save card' })
    await expect(save).toBeEnabled()
    await expect(section.getByRole('group', { name: 'Card' })).toContainText(/pk_test_stand_in card rgb\(\d+, \d+, \d+\)/)
    await expectAccessible(page)
    await save.click()
    await expect(section.getByText('Your card was declined.')).toBeVisible()
    await save.click()
    await expect(page.getByText('Card added successfully')).toBeVisible()
    await expect(section.getByText('Visa ending in 4242')).toBeVisible()
  },
)

/** As much of Stripe.js as the form uses; the first card is declined. */
const standIn = (sandbox: string) => `
  let tries = 0
  const confirm = async (secret) => {
    if (tries++ === 0) return { error: { code: 'card_declined', message: 'Your card was declined.' } }
    const card = { number: '4242424242424242', exp_month: '12', exp_year: '2034', cvc: '123' }
    const body = new URLSearchParams({ client_secret: secret, 'payment_method_data[type]': 'card' })
    for (const [name, value] of Object.entries(card)) body.set('payment_method_data[card][' + name + ']', value)
    const answer = await fetch('${sandbox}/v1/setup_intents/' + secret.split('_secret_')[0] + '/confirm', { method: 'POST', body })
    return { setupIntent: await answer.json() }
  }
  window.Stripe = (key) => ({
    elements: () => ({
      create: (type, { style }) => {
        const heard = {}
        return {
          on: (event, listener) => (heard[event] = listener),
          mount: (place) => { place.textContent = [key, type, style.base.color].join(' '); heard.ready() },
          destroy: () => {},
        }
      },
    }),
    confirmCardSetup: confirm,
  })
`
