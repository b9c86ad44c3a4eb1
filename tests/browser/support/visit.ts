import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { AxeBuilder } from '@axe-core/playwright'
import { expect, test as base, type Page } from '@playwright/test'

/** Every test watches its pages: an error in the console or a breach of the security policy fails it. */
export const test = base.extend<{ watched: void }>({
  watched: [
    async ({ context }, use) => {
      const problems: string[] = []
      context.on('weberror', (error) => problems.push(String(error.error())))
      context.on('console', (message) => {
        // a refused call is told by the browser too: that the page deals with it is what the tests look at
        // so is a header that counts on https alone, where a test visits by plain http
        const isTold = /Failed to load resource|Cross-Origin-Opener-Policy header has been ignored/.test(message.text())
        if (message.type() === 'error' && !isTold) problems.push(message.text())
      })
      await use()
      expect(problems).toEqual([])
    },
    { auto: true },
  ],
})

export { expect }

export async function fillLogin(page: Page, email: string, password: string): Promise<void> {
  const form = page.getByRole('form', { name: 'Log in' })
  await form.getByLabel('Email').fill(email)
  await form.getByLabel('Password', { exact: true }).fill(password)
  await form.getByRole('button', { name: 'Log in' }).click()
}

/** The path of the newest link to a page in the mails to somebody; the worker sends them a moment after the answer. */
export async function linkInMail(page: Page, to: string, path: string): Promise<string> {
  let link = ''
  await expect(async () => {
    const { data } = (await (await page.request.get(`/sandbox/mail.json?to=${encodeURIComponent(to)}`)).json()) as {
      data: { text: string }[]
    }
    link = data.map(({ text }) => new RegExp(`${path}\\?token=[\\w-]+`).exec(text)?.[0]).find(Boolean) ?? ''
    expect(link).not.toBe('')
  }).toPass()
  return link
}

/**
 * Nothing for axe to find: every rule in light, what colours can break in dark as well. A test that runs at both widths looks
 * at one of them at each.
 */
export async function expectAccessible(page: Page): Promise<void> {
  const { project, tags } = test.info()
  const isAlone = tags.includes('@phone') || tags.includes('@wide')
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(await axeSource)
  if (isAlone || project.name === 'phone') expect(await problems(page, 'light', axe(page).withTags(every))).toEqual([])
  if (isAlone || project.name === 'wide') expect(await problems(page, 'dark', axe(page).withRules('color-contrast'))).toEqual([])
}

const every = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

async function problems(page: Page, colorScheme: 'light' | 'dark', builder: AxeBuilder): Promise<string[]> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  // a colour on its way from light to dark is neither
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)))
  const { violations } = await builder.analyze()
  const at = `${new URL(page.url()).pathname} ${colorScheme}`
  return violations.map(({ id, nodes }) => `${at} ${id}: ${nodes.map(({ target }) => String(target)).join(', ')}`)
}

// Once per document, and the small build: the builder would send 1.5 MB to the page twice for each look, which took longer than
// the look. Its own source is then a word that does nothing.
const axeSource = readFile(createRequire(import.meta.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'), 'utf8')

// without frames of others to look into, the mode that opens no page of its own is twice as quick; and what is in order need not be
// described to us: that alone was a fifth of its work
const axe = (page: Page) => new AxeBuilder({ page, axeSource: 'true' }).setLegacyMode().options({ resultTypes: ['violations'] })

/** Nothing on the page stands in for what is still to come. */
export const expectLoaded = (page: Page): Promise<void> => expect(page.locator('.animate-pulse')).toHaveCount(0)

/** Types a postcode and picks the first address by keyboard. */
export async function pickAddress(page: Page, postCode: string): Promise<void> {
  const address = page.getByRole('combobox', { name: 'Company address' })
  await address.fill(postCode)
  await expect(suggestions(page).first()).toBeVisible()
  await address.press('ArrowDown')
  await address.press('Enter')
  await expect(page.getByText('Address found')).toBeVisible()
}

export const suggestions = (page: Page) => page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option')
