import { codeAt, stepAt } from '#server/features/second-factor/totp.ts'
import { ownAccount } from '#tests/browser/support/account.ts'
import { asOwner } from '#tests/browser/support/database.ts'
import { expect, expectAccessible, fillLogin, test } from '#tests/browser/support/visit.ts'
import { goodPassword } from '#tests/support/people.ts'
import { fromBase32 } from '#tests/support/second-factor.ts'

test('a second factor is set up, asked for at the log-in, and switched off', { tag: '@phone' }, async ({ page }) => {
  const email = await ownAccount(page)
  await page.goto('/account/change-password')
  const begin = page.getByRole('form', { name: 'Set up a second factor' })
  await begin.getByLabel('Your password').fill('Wrong-pass-1')
  await begin.getByRole('button', { name: 'Set it up' }).click()
  await expect(begin.getByLabel('Your password')).toHaveAccessibleDescription('This is not your password')
  await begin.getByLabel('Your password').fill(goodPassword)
  await begin.getByRole('button', { name: 'Set it up' }).click()

  const confirm = page.getByRole('form', { name: 'Confirm the second factor' })
  await expectAccessible(page)
  const secret = await confirm.locator('code').textContent()
  await confirm.getByLabel('Code of your authenticator app').fill('000000')
  await confirm.getByRole('button', { name: 'Switch it on' }).click()
  await expect(confirm.getByLabel('Code of your authenticator app')).toHaveAccessibleDescription(/This code is not right/)
  const { rows } = await asOwner('select app_now() as now', [])
  await confirm.getByLabel('Code of your authenticator app').fill(codeAt(fromBase32(secret ?? ''), stepAt(rows[0]?.now as Date)))
  await confirm.getByRole('button', { name: 'Switch it on' }).click()
  await expect(page.getByText('They are not shown again.')).toBeVisible()
  await expectAccessible(page)
  const codes = await page.getByRole('main').getByRole('listitem').filter({ hasText: /^\S+$/ }).allTextContents()
  const [first = '', second = ''] = codes.filter((code) => /\d/.test(code))
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await expect(page.getByText('10 recovery codes are left.')).toBeVisible()

  await page.context().clearCookies()
  await page.goto('/login')
  await fillLogin(page, email, goodPassword)
  const login = page.getByRole('form', { name: 'Log in' })
  await login.getByLabel('Code of your authenticator app').fill('123456')
  await login.getByRole('button', { name: 'Log in' }).click()
  await expect(login.getByLabel('Code of your authenticator app')).toHaveAccessibleDescription(/This code is not right/)
  await expectAccessible(page)
  await login.getByLabel('Code of your authenticator app').fill(first)
  await login.getByRole('button', { name: 'Log in' }).click()
  await expect(login).toBeHidden()

  await page.goto('/account/change-password')
  await expect(page.getByText('9 recovery codes are left.')).toBeVisible()
  const off = page.getByRole('form', { name: 'Switch the second factor off' })
  await off.getByLabel('Your password').fill(goodPassword)
  await off.getByLabel('Code of your authenticator app').fill(second)
  await off.getByRole('button', { name: 'Switch it off' }).click()
  await expect(page.getByText('The second factor is off.')).toBeVisible()
  await expect(begin).toBeVisible()
})
