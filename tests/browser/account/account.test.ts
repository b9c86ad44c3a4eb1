import { openProfile, ownAccount } from '#tests/browser/support/account.ts'
import { expect, expectAccessible, fillLogin, linkInMail, pickAddress, test } from '#tests/browser/support/visit.ts'
import { goodPassword } from '#tests/support/people.ts'

test('the profile, the address and the e-mail change, each with its message', { tag: '@phone' }, async ({ page }) => {
  const email = await openProfile(page)
  await page.getByLabel('Surname').fill('Jones')
  await page.getByLabel('Contact number').fill('')
  await page.getByLabel('Contact number').pressSequentially('+44 (114) 234-5678')
  await page.getByRole('button', { name: 'Save details' }).click()
  await expect(page.getByText('Profile updated.')).toBeVisible()
  await expect(page.getByLabel('Contact number'), 'whole, without its spaces').toHaveValue('+441142345678')

  await pickAddress(page, 'LS9 0DJ')
  await page.getByRole('button', { name: 'Save address' }).click()
  await expect(page.getByText('Address updated.')).toBeVisible()

  const form = page.getByRole('form', { name: 'Change email' })
  await form.getByLabel('Email').fill(`new-${email}`)
  await form.getByLabel('Current password').fill('Wrong-pass-1')
  await form.getByRole('button', { name: 'Save email' }).click()
  await expect(form.getByLabel('Current password')).toHaveAccessibleDescription(/not your current password/)
  await form.getByLabel('Current password').fill(goodPassword)
  await form.getByRole('button', { name: 'Save email' }).click()
  await expect(form.getByLabel('Current password')).toBeHidden()
  await expect(form.getByText(`We sent a link to new-${email}.`)).toBeVisible()

  await page.reload()
  await expect(page.getByLabel('Surname')).toHaveValue('Jones')
  await expect(page.getByRole('combobox', { name: 'Company address' })).toHaveValue(/LS9 0DJ/)
  await expect(form.getByLabel('Email'), 'until the new one is confirmed').toHaveValue(email)
  await page.goto(await linkInMail(page, `new-${email}`, '/verify-email'))
  await expect(page.getByText('Your email address is confirmed.')).toBeVisible()
  await page.goto('/account/view-edit')
  await expect(form.getByLabel('Email')).toHaveValue(`new-${email}`)

  await form.getByLabel('Email').fill(`newer-${email}`)
  await form.getByLabel('Current password').fill(goodPassword)
  await form.getByRole('button', { name: 'Save email' }).click()
  await page.goto(await linkInMail(page, `new-${email}`, '/undo-email-change'))
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Keep the old address' }).click()
  await expect(page.getByText(/is the address of your account/)).toBeVisible()
})

test('the password changes with its message, a wrong one stands under its field', { tag: '@wide' }, async ({ page }) => {
  await ownAccount(page)
  await page.goto('/account/change-password')
  const change = async (current: string) => {
    await page.getByLabel('Current password').fill(current)
    await page.getByLabel('New password', { exact: true }).fill('Zinc-and-Lead-9')
    await page.getByLabel('Confirm new password').fill('Zinc-and-Lead-9')
    await page.getByRole('button', { name: 'Save password' }).click()
  }
  await change('Wrong-pass-1')
  await expect(page.getByLabel('Current password')).toHaveAccessibleDescription(/not your current password/)
  await change(goodPassword)
  await expect(page.getByText('Successfully updated password')).toBeVisible()
  await page.reload()
  await expect(page, 'this device stays logged in').toHaveURL('/account/change-password')
})

test('an account is deleted after a confirmation, and restored at the next login', { tag: '@phone' }, async ({ page }) => {
  const email = await openProfile(page)
  await page.getByLabel('Why are you leaving?').fill('Too quiet')
  await page.getByRole('button', { name: 'Delete account' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Are you sure?' })
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByLabel('Why are you leaving?')).toHaveValue('Too quiet')
  await page.getByRole('button', { name: 'Delete account' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(page).toHaveURL('/')

  await page.goto('/login')
  await fillLogin(page, email, goodPassword)
  await expect(page).toHaveURL('/restore-account')
  await page.goto('/my-listings')
  await expect(page).toHaveURL('/restore-account')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Restore my account' }).click()
  await expect(page).toHaveURL('/market')
})

test('a failed load of the account says so and offers to try again', { tag: '@wide' }, async ({ page }) => {
  await ownAccount(page)
  await page.route(
    '**/api/v1/auth/me',
    (route) => route.fulfill({ status: 503, json: { message: 'We are back in a moment. Please try again.', code: 'unavailable' } }),
    { times: 1 },
  )
  await page.goto('/account/view-edit')
  await expect(page.getByText('We are back in a moment. Please try again.')).toBeVisible()
  await page.getByRole('button', { name: /try again/i }).click()
  await expect(page.getByLabel('First name')).toHaveValue('Jo')
})

test('text that looks like markup is shown as text', { tag: '@wide' }, async ({ page }) => {
  await openProfile(page)
  const nasty = '<img src=x onerror=alert(1)>{{7*7}}'
  await page.getByLabel('Company name').fill(nasty)
  await page.getByRole('button', { name: 'Save details' }).click()
  await expect(page.getByText('Profile updated.')).toBeVisible()
  await page.goto('/')
  await expect(page.locator('img[src="x"]')).toHaveCount(0)
})
