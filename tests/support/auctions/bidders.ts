import { randomUUID } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { hashToken, newToken } from '#server/http/session.ts'
import { newMerchant } from '#tests/support/auctions/auction.ts'
import type { Random } from '#tests/support/random.ts'

// Bidders who do not let go: a bid whose answer was lost is sent again with the same key, to whichever process, until it is answered.

export type Bidder = { id: string; headers: Record<string, string> }
export type Bid = { key: string; listing: string; amount: number; max_amount: number }
export type Answered = Bid & {
  bidder: Bidder
  status: number
  body: any
  sends: number
  /** By this process's clock, only to know which came before which. */
  sentAt: number
  answeredAt: number
}

/** A merchant with a session, who needs no password hash for it. */
export async function newBidder(owner: pg.ClientBase, anyProcess: string): Promise<Bidder> {
  const id = await newMerchant(owner, { payment_account_verified: true })
  const token = newToken()
  await owner.query('insert into sessions (token_hash, user_id) values ($1, $2)', [hashToken(token), id])
  const answer = await fetch(`${anyProcess}/sanctum/csrf-cookie`, { headers: { cookie: `sid=${token}` } })
  const csrf = /XSRF-TOKEN=([^;]+)/.exec(answer.headers.getSetCookie().join(';'))?.[1] ?? ''
  return { id, headers: { cookie: `sid=${token}; XSRF-TOKEN=${csrf}`, 'x-xsrf-token': decodeURIComponent(csrf) } }
}

export type Field = {
  /** Where servers listen, or did a moment ago; none when all are down. */
  processes: () => readonly string[]
  random: Random
  /** Every send and every answer, a line each. */
  historyFile: string
}

export async function bidUntilAnswered({ processes, random, historyFile }: Field, bidder: Bidder, bid: Bid): Promise<Answered> {
  const sentAt = performance.now()
  for (let sends = 1; ; sends++) {
    while (processes().length === 0) await pause(20)
    const url = random.oneOf(processes())
    const { status, body } = await send(url, bidder, bid)
    appendFileSync(historyFile, `${JSON.stringify({ ...bid, bidder: bidder.id, sends, url, status, body: shortly(body) })}\n`)
    if (status > 0 && status < 500) return { ...bid, bidder, status, body, sends, sentAt, answeredAt: performance.now() }
    await pause(random.between(10, 150))
  }
}

/** Status 0: no answer came. */
export async function send(url: string, bidder: Bidder, { key, listing, amount, max_amount }: Bid): Promise<{ status: number; body: any }> {
  try {
    const answer = await fetch(`${url}/api/v1/listings/${listing}/bids`, {
      method: 'POST',
      headers: { ...bidder.headers, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ amount, max_amount }),
      signal: AbortSignal.timeout(10_000),
    })
    return { status: answer.status, body: await answer.json() }
  } catch (error) {
    return { status: 0, body: { message: String(error) } }
  }
}

const shortly = (body: any) => body.data?.bid ?? { code: body.code, message: body.message }

/** Bids at or a little above what was last heard to be the least, now and then with room above, now and then too low. */
export function nextBid(random: Random, listing: string, minimum: number): Bid {
  const amount = random.oneOf([minimum, minimum, minimum + random.between(0, 5_00), Math.max(1, minimum - 1)])
  return { key: randomUUID(), listing, amount, max_amount: amount + random.oneOf([0, 0, random.between(0, 20_00)]) }
}
