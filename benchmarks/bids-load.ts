import { connect } from 'node:net'
import { randomUUID } from 'node:crypto'
import { quantile } from '#benchmarks/figures.ts'

// Bidders with browsers of their own, as one process: each has a connection that it keeps, a session and a CSRF token, and sends
// its next bid when it has the answer to the last. Written on bare sockets, because it shares the machine with what it measures.

export type Load = {
  port: number
  /** The headers that make somebody a bidder. */
  bidders: { cookie: string; csrf: string }[]
  listings: { id: string; next: number }[]
  warmUpSeconds: number
  seconds: number
  /** Bids a second, sent when they are due whatever has been answered; as fast as answers come when null. */
  rate: number | null
}

export type LoadResult = {
  /** Everything that was answered with 201, warming up included. */
  accepted: number
  refused: number
  /** What should not have come: status → how often, with one of the answers. */
  unexpected: Record<string, { count: number; says: string }>
  acceptedPerSecond: number
  p50: number
  p99: number
}

process.once('message', (load: Load) => {
  void bid(load).then((result) => process.send?.(result, () => process.exit()))
})

async function bid({ port, bidders, listings, warmUpSeconds, seconds, rate }: Load): Promise<LoadResult> {
  const result: LoadResult = { accepted: 0, refused: 0, unexpected: {}, acceptedPerSecond: 0, p50: 0, p99: 0 }
  const latencies: number[] = []
  const began = performance.now()
  const measuredFrom = began + warmUpSeconds * 1_000
  const until = measuredFrom + seconds * 1_000
  const due: number[] = []
  const idle: Bidder[] = []
  let nthBid = 0

  const nextBid = () => {
    const listing = listings[nthBid++ % listings.length] as Load['listings'][number]
    return { listingId: listing.id, amount: listing.next++ }
  }

  const note = (answer: string, dueAt: number) => {
    const now = performance.now()
    const status = answer.slice(9, 12)
    if (status === '201') {
      result.accepted++
      if (now >= measuredFrom && now < until) latencies.push(now - dueAt)
    } else if (answer.includes('"bid_too_low"')) {
      // two bids overtook one another on their way: the lower one came second
      result.refused++
    } else {
      const seen = (result.unexpected[status] ??= { count: 0, says: answer })
      seen.count++
    }
  }

  const goOn = (bidder: Bidder) => {
    const now = performance.now()
    if (now >= until && due.length === 0) bidder.leave()
    else if (rate === null) bidder.send(nextBid(), now)
    else if (due.length > 0) bidder.send(nextBid(), due.shift() ?? now)
    else idle.push(bidder)
  }

  const allGone = Promise.all(bidders.map((who) => openBidder(port, who, { note, goOn })))
  if (rate !== null) {
    let sent = 0
    const timer = setInterval(() => {
      const now = Math.min(performance.now(), until)
      for (; began + (sent * 1_000) / rate < now; sent++) due.push(began + (sent * 1_000) / rate)
      while (due.length > 0 && idle.length > 0) idle.shift()?.send(nextBid(), due.shift() ?? now)
      if (now < until || due.length > 0) return
      clearInterval(timer)
      for (const bidder of idle) bidder.leave()
    }, 1)
  }
  await allGone
  return { ...result, acceptedPerSecond: latencies.length / seconds, p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) }
}

type Bidder = { send: (bid: { listingId: string; amount: number }, dueAt: number) => void; leave: () => void }
type Course = { note: (answer: string, dueAt: number) => void; goOn: (bidder: Bidder) => void }

/** Resolves when the bidder has left. */
function openBidder(port: number, { cookie, csrf }: Load['bidders'][number], { note, goOn }: Course): Promise<void> {
  return new Promise((left, fail) => {
    const head = `Host: 127.0.0.1:${port}\r\nCookie: ${cookie}\r\nX-XSRF-TOKEN: ${csrf}\r\nContent-Type: application/json\r\n`
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let answer = ''
    let askedAt = 0
    const bidder: Bidder = {
      send({ listingId, amount }, dueAt) {
        const body = `{"amount":${amount}}`
        askedAt = dueAt
        socket.write(
          `POST /api/v1/listings/${listingId}/bids HTTP/1.1\r\n${head}Idempotency-Key: ${randomUUID()}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        )
      },
      leave() {
        socket.end()
        left()
      },
    }
    socket.once('error', fail)
    socket.once('connect', () => goOn(bidder))
    socket.setEncoding('latin1').on('data', (text: string) => {
      answer += text
      if (!isComplete(answer)) return
      note(answer, askedAt)
      answer = ''
      goOn(bidder)
    })
  })
}

function isComplete(answer: string): boolean {
  const headEnd = answer.indexOf('\r\n\r\n')
  const length = /content-length: (\d+)/i.exec(answer)?.[1]
  return headEnd > 0 && answer.length >= headEnd + 4 + Number(length)
}
