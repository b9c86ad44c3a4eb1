import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { demoPassword } from '#database/demo/users.ts'
import { OTHER_NAME } from '#scripts/browsers/webkit.ts'
import { ensureWebBuild } from '#server/web-build.ts'
import { newListing } from '#tests/support/auctions/auction.ts'
import type { Client } from '#tests/support/client.ts'
import { sendBid } from '#tests/support/demo-yard.ts'
import { photo } from '#tests/support/files/made-files.ts'
import { scratchFolder } from '#tests/support/files/scratch.ts'
import { demoUser } from '#tests/support/people.ts'
import { openYard, type Yard } from '#tests/support/yard.ts'
import { startWebKit } from '#tests/second-engine/webkit-process.ts'

let yard: Yard
let rival: Client
let sellerId: string
let photoPath: string
let webKit: Awaited<ReturnType<typeof startWebKit>>

before(async () => {
  const web = await ensureWebBuild()
  yard = await openYard({ demo: true, webDir: web.dir, webVersion: web.version })
  rival = await demoUser(yard, 'rival')
  sellerId = (await (await demoUser(yard, 'seller')).get('/api/v1/auth/me')).body.data.id
  photoPath = join(await scratchFolder('photo'), 'load.jpg')
  await writeFile(photoPath, await photo())
  webKit = await startWebKit()
})

after(async () => {
  await webKit?.stop()
  await yard?.close()
})

for (const [host, isSecure] of [
  ['localhost', true],
  [OTHER_NAME, false],
] as const) {
  test(`WebKit on plain http at ${host}: log-in, a bid, a live price, a photo and log-out work`, async () => {
    const { open, see, click, fill, evaluate } = webKit.window
    const origin = `http://${host}:${new URL(yard.url).port}`
    const id = await newListing(yard.owner, sellerId, { start_price: 100_00 })

    await open(`${origin}/login?next=/listings/${id}`)
    assert.equal(await evaluate('return isSecureContext'), isSecure)
    await fill(field('Email'), 'buyer@yardbid.test')
    await fill(field('Password'), demoPassword)
    await click(`//form[@aria-label='Log in']//button[@type='submit']`)
    await see(heading('Bright copper wire'))

    await fill(field('Your bid'), '120')
    await click(button('Bid £120.00'))
    await click(button('Confirm bid'))
    await see(status('You lead at £120.00'))
    assert.equal((await sendBid(rival, id, { amount: 500_00 })).status, 201)
    await see(status('You were outbid. The next bid is £510.00 or more.'))

    await open(`${origin}/my-listings/new`)
    await fill(field('Add photos or videos'), photoPath)
    await see(`//ul[@aria-label='Photos and videos']/li[contains(., 'Cover')]/img`)

    await open(origin)
    await click(button('Log out'))
    await see(`//header//a[normalize-space()='Log in']`)
    await open(`${origin}/my-listings`)
    await see(heading('Log in'))
  })
}

const heading = (text: string) => `//h1[normalize-space()='${text}']`
const button = (text: string) => `//button[normalize-space()='${text}']`
const status = (text: string) => `//section//*[@role='status' and contains(., '${text}')]`
// the label stands around its field or names it
const field = (text: string) => `//label[normalize-space()='${text}']//input | //input[@id=//label[normalize-space()='${text}']/@for]`
