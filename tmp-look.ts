import { chromium } from 'playwright-core'
import pg from 'pg'
import { findBrowser } from '#scripts/browsers/chromium.ts'
import { OWNER_ROLE, readPassword } from '#database/embedded/folder.ts'
import { findPostmaster } from '#database/embedded/postmaster.ts'
import { notifyOn } from '#server/features/notifications/public.ts'
const dir = '/tmp/w/data-n2/pg'
const client = new pg.Client({ host: '127.0.0.1', port: findPostmaster(dir)!.port, user: OWNER_ROLE, password: await readPassword(dir), database: 'yardbid' })
await client.connect()
const rows = async (sql: string, values: unknown[]) => (await client.query(sql, values)).rows
const { rows: [user] } = await client.query(`select id from users where email='buyer@yardbid.test'`)
const { rows: listings } = await client.query(`select id, title from listings where status='Active' limit 4`)
const n = Date.now()
const ends_at = new Date(n + 3600_000).toISOString()
const news: any[] = [
  { kind: 'vat', facts: { vat_number: 'GB294817036' }, link: '/account/view-edit' },
  { kind: 'licence', facts: { document: 'scrap_dealer_licence', outcome: 'ends', expires_at: ends_at, days: 7 }, link: '/account/merchant-documents' },
  { kind: 'ending_soon', listingId: listings[0].id, facts: { title: listings[0].title, town: 'Sheffield', price: 500000, price_basis: 'tonne', bid_count: 3, ends_at } },
  { kind: 'chat_message', facts: { from: 'Pugh Non-Ferrous', title: listings[1].title, preview: 'Can you load on Thursday before ten? We have a 26 t rigid with a grab and would come early.' }, listingId: listings[1].id, link: `/listings/${listings[1].id}/chat/x` },
  { kind: 'outbid', listingId: listings[2].id, facts: { title: listings[2].title, price: 525000, price_basis: 'tonne', minimum_bid: 527500, ends_at } },
]
const tell = async (some: any[], tag: string) => { for (const [i, one] of some.entries()) await notifyOn(rows as never, { ...one, source: `look:${n}:${tag}:${i}`, to: user.id }) }
await tell(news.slice(0, 3), 'a')
const { executablePath, env } = await findBrowser()
const browser = await chromium.launch({ executablePath, env: env as never })
for (const [name, width, height] of [['wide', 1440, 900], ['phone', 390, 844]] as const) {
  const context = await browser.newContext({ viewport: { width, height }, baseURL: 'http://localhost:4521', hasTouch: name === 'phone', isMobile: name === 'phone', reducedMotion: 'reduce' })
  const page = await context.newPage()
  page.on('console', (m) => m.type() === 'error' && console.log('console', m.text()))
  page.on('pageerror', (e) => console.log('pageerror', e))
  await page.goto('/login')
  await page.getByLabel('Email').fill('buyer@yardbid.test')
  await page.getByLabel('Password', { exact: true }).fill('Yardbid-demo-1')
  await page.getByRole('button', { name: 'Log in' }).last().click()
  await page.waitForURL('**/market')
  await page.waitForTimeout(2500)
  await tell(news, `b${name}`)
  await page.waitForTimeout(2500)
  await page.screenshot({ path: `/tmp/w/n2tmp/cards-${name}.png` })
  if (name === 'wide') { await page.getByRole('button', { name: /^Notifications/ }).click(); await page.waitForTimeout(1500) }
  else { await page.goto('/notifications'); await page.waitForTimeout(1500) }
  await page.screenshot({ path: `/tmp/w/n2tmp/list-${name}.png` })
  await page.goto('/account/notification-preferences')
  await page.waitForTimeout(1500)
  await page.screenshot({ path: `/tmp/w/n2tmp/settings-${name}.png`, fullPage: true })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.screenshot({ path: `/tmp/w/n2tmp/settings-dark-${name}.png` })
  await page.goto('/notifications'); await page.waitForTimeout(1500)
  await page.screenshot({ path: `/tmp/w/n2tmp/list-dark-${name}.png` })
  await context.close()
}
await browser.close(); await client.end()
