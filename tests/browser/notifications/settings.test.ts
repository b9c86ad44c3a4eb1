import type { Page } from '@playwright/test'
import { ownAccount } from '#tests/browser/support/account.ts'
import { countPushBrowsers, newBidder } from '#tests/browser/support/database.ts'
import { tell, vatNews } from '#tests/browser/support/notifications.ts'
import { ORIGIN } from '#tests/browser/support/place.ts'
import { expect, expectAccessible, fillLogin, test } from '#tests/browser/support/visit.ts'
import { goodPassword } from '#tests/support/people.ts'

const SETTINGS = '/account/notification-preferences'

test('channels, quiet hours and the digest are saved; what cannot be switched off says so', async ({ page }) => {
  await ownAccount(page)
  await page.goto(SETTINGS)
  const outbid = page.getByRole('group', { name: 'Outbid' })
  await expect(outbid.getByLabel('Email')).toBeChecked()
  await expectAccessible(page)
  await outbid.getByLabel('Email').uncheck()
  const payments = page.getByRole('group', { name: 'Payments' })
  await expect(payments.getByText('Always in the app and by email.')).toBeVisible()
  await expect(payments.getByRole('checkbox')).toHaveCount(1)
  await page.getByLabel('Keep quiet at night').check()
  await page.getByLabel('From').fill('21:30')
  await page.getByLabel('To').fill('21:30')
  await page.getByRole('button', { name: 'Save settings' }).click()
  await expect(page.getByText('Quiet hours begin and end at different times')).toBeVisible()
  await page.getByLabel('To').fill('05:30')
  await page.getByLabel('One email a day').check()
  await page.getByRole('button', { name: 'Save settings' }).click()
  await expect(page.getByText('Notification settings updated.')).toBeVisible()

  await page.reload()
  await expect(outbid.getByLabel('Email')).not.toBeChecked()
  await expect(outbid.getByLabel('In app')).toBeChecked()
  await expect(page.getByLabel('From')).toHaveValue('21:30')
  await expect(page.getByLabel('One email a day')).toBeChecked()
})

test(
  'the prompts say what one gets; dismissed, one is gone for good and the other until the next login',
  { tag: '@phone' },
  async ({ page }) => {
    const email = await ownAccount(page)
    await page.goto('/')
    const settings = page.getByRole('region', { name: 'Choose how we reach you' })
    const materials = page.getByRole('region', { name: 'Say what you buy' })
    await expect(materials).toContainText('News of enquiries comes with the Full plan.')
    await expectAccessible(page)
    await settings.getByRole('button', { name: 'No thanks' }).click()
    await expect(settings).toBeHidden()
    await materials.getByRole('button', { name: 'Later' }).click()
    await expect(materials).toBeHidden()
    await newBidder(email)
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Waiting for you' })).toBeVisible()
    await expect(materials).toBeHidden()

    await page.getByRole('link', { name: 'Account' }).click()
    await page.getByRole('button', { name: 'Log out' }).click()
    await expect(page).toHaveURL('/')
    await page.goto('/login?next=/')
    await fillLogin(page, email, goodPassword)
    await expect(page).toHaveURL(`${ORIGIN}/`)
    await expect(materials).toContainText('We tell you at once of new enquiries and listings')
    await expect(settings).toBeHidden()
  },
)

test(
  'push: blocked, turned on, a message from the push service to the worker, its click, and the log-out',
  { tag: '@wide' },
  async ({ page, context }) => {
    const email = await ownAccount(page)
    await page.goto(SETTINGS)
    await expect(page.getByText('This browser blocks notifications from Yardbid.')).toBeVisible()

    const subscription = (await (await page.request.post('/sandbox/push')).json()) as { endpoint: string }
    await subscribeTo(page, subscription)
    const worker = context.waitForEvent('serviceworker')
    await page.reload()
    await page.getByRole('button', { name: 'Turn push on here' }).click()
    await expect(page.getByText('Push is on in this browser.')).toBeVisible()
    await expectAccessible(page)
    expect(await countPushBrowsers(email)).toBe(1)

    await tell(email, vatNews('GB555555555'))
    const pushed = async () =>
      ((await (await page.request.get(subscription.endpoint)).json()) as { data: { payload: { title: string; body: string } }[] }).data
    await expect.poll(async () => (await pushed()).length).toBe(1)
    await (await worker).evaluate(keepShown)
    const payload = (await pushed())[0]?.payload
    expect(payload?.body).toContain('GB555555555')
    await deliverPush(page, JSON.stringify(payload))
    await expect.poll(async () => (await worker).evaluate('self.shown?.title')).toBe(payload?.title)
    await (await worker).evaluate(clickShown)
    await expect(page).toHaveURL('/account/view-edit')
    expect(await page.evaluate(() => caches.keys()), 'the worker caches nothing').toEqual([])

    await page.getByRole('button', { name: 'Log out' }).click()
    await expect(page.getByRole('banner').getByRole('link', { name: 'Log in' })).toBeVisible()
    expect(await countPushBrowsers(email)).toBe(0)
  },
)

/** What the browser's user and its own push service would answer, which no test machine has. */
const subscribeTo = (page: Page, subscription: { endpoint: string }) =>
  page.addInitScript((given) => {
    const made = {
      ...given,
      toJSON: () => given,
      unsubscribe: async () => (localStorage.removeItem('test_subscribed'), true),
    } as unknown as PushSubscription
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' })
    Notification.requestPermission = async () => 'granted'
    PushManager.prototype.subscribe = async () => (localStorage.setItem('test_subscribed', 'true'), made)
    PushManager.prototype.getSubscription = async () => (localStorage.getItem('test_subscribed') ? made : null)
  }, subscription)

/** As the browser hands a decrypted message to the worker. */
async function deliverPush(page: Page, data: string) {
  const session = await page.context().newCDPSession(page)
  const registered = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [registration] = registrations
      if (registration) resolve(registration.registrationId)
    })
  })
  await session.send('ServiceWorker.enable')
  await session.send('ServiceWorker.deliverPushMessage', { origin: ORIGIN, registrationId: await registered, data })
  await session.detach()
}

// A browser without a screen shows no notifications, whatever it may: what the worker would show is kept, and clicked by hand.
// As text: the names of a worker's world are not those of a page.
const keepShown = `registration.showNotification = async (title, look) => void (self.shown = { title, ...look }), null`
const clickShown = `dispatchEvent(Object.assign(new ExtendableEvent('notificationclick'), { notification: { ...shown, close() {} } })), null`
