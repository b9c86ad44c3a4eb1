import { once } from 'node:events'
import { createServer, request, type IncomingMessage } from 'node:http'
import { connect, createServer as createLine, type AddressInfo, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'

// The lines of one server process: to its database and to the payment provider. At a chosen point both are cut for good. Nothing that the
// server does from then on reaches anybody, and no answer reaches it: to everybody else it was killed at that point.

/** A point between two writes or calls. `commit` and `statement` are texts that the transaction or the statement contains. */
export type Point = { at: 'before' | 'after' } & (
  | { commit: readonly string[] }
  | { statement: readonly string[] }
  | { call: `${string} /${string}`; sends?: string }
)

export type CutLines = {
  databaseUrl: string
  providerUrl: string
  /** Resolves when the point was reached and the lines are cut. */
  cutAt(point: Point): Promise<void>
  /** Until then whatever reaches the point is held there: a server that could not start could not be stopped either. */
  hasStarted(): void
  /** The ports of this server's connections as PostgreSQL names them, also of those that are cut. */
  databasePorts: ReadonlySet<number>
  close(): void
}

export async function cutLines({ databaseUrl, providerUrl }: { databaseUrl: string; providerUrl: string }): Promise<CutLines> {
  let point: Point | undefined
  let isCut = false
  let onCut = () => {}
  const started = Promise.withResolvers<void>()
  const sockets = new Set<Socket>()
  const databasePorts = new Set<number>()
  const cut = () => {
    isCut = true
    for (const socket of sockets) socket.destroy()
    onCut()
  }
  const keep = (socket: Socket) => void sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)))

  const toDatabase = createLine((near) => {
    if (isCut) return void near.destroy()
    const far = connect(Number(new URL(databaseUrl).port), '127.0.0.1', () => databasePorts.add(far.localPort ?? 0))
    keep(near)
    keep(far)
    const isReached = followStatements()
    let isHeld = false
    let holdsAnswer = false
    const hold = () => {
      isHeld = true
      void started.promise.then(cut)
    }
    near.on('data', (bytes) => {
      if (isHeld) return
      const reached = isReached(bytes, point)
      if (reached && point?.at === 'before') return hold()
      holdsAnswer ||= reached
      far.write(bytes)
    })
    far.on('data', (bytes) => {
      if (isHeld) return
      if (holdsAnswer) hold()
      else near.write(bytes)
    })
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
  }).listen(0, '127.0.0.1')

  const toProvider = createServer(async (asked, answer) => {
    if (isCut) return void asked.socket.destroy()
    const body = await buffer(asked)
    const reached = isCalled(point, asked, body)
    if (reached && point?.at === 'before') return void started.promise.then(cut)
    const { hostname, port } = new URL(providerUrl)
    const { method, url, headers } = asked
    const forwarded = request({ hostname, port, method, path: url, headers }, async (response) => {
      const said = await buffer(response)
      if (reached) return void started.promise.then(cut)
      answer.writeHead(response.statusCode ?? 500, response.headers).end(said)
    })
    forwarded.on('error', () => asked.socket.destroy()).end(body)
  })
    .on('connection', keep)
    .listen(0, '127.0.0.1')

  await Promise.all([once(toDatabase, 'listening'), once(toProvider, 'listening')])
  const portOf = (line: { address(): unknown }) => (line.address() as AddressInfo).port
  const near = new URL(databaseUrl)
  near.port = String(portOf(toDatabase))
  return {
    databaseUrl: near.href,
    providerUrl: `http://127.0.0.1:${portOf(toProvider)}`,
    cutAt(next) {
      point = next
      return new Promise((reached) => (onCut = reached))
    },
    hasStarted: started.resolve,
    databasePorts,
    close() {
      cut()
      toDatabase.close()
      toProvider.close()
    },
  }
}

const isCalled = (point: Point | undefined, { method, url = '' }: IncomingMessage, body: Buffer): boolean =>
  point !== undefined &&
  'call' in point &&
  new RegExp(`^${point.call}$`).test(`${method} ${url}`) &&
  decodeURIComponent(body.toString()).includes(point.sends ?? '')

/** Of one connection: whether these bytes bring the point. Texts and values pass by as they are in PostgreSQL's protocol. */
function followStatements(): (bytes: Buffer, point: Point | undefined) => boolean {
  let sent = ''
  let isInTransaction = false
  return (bytes, point) => {
    const text = bytes.toString('latin1')
    if (/\0?begin\0/.test(text)) {
      isInTransaction = true
      sent = ''
    }
    sent = isInTransaction ? sent + text : text
    const isEnd = /commit\0|rollback\0/.test(text)
    const isCommit = text.includes('commit\0')
    const seen = sent
    if (isEnd) isInTransaction = false
    if (!point) return false
    if ('commit' in point) return isCommit && point.commit.every((part) => seen.includes(part))
    return 'statement' in point && point.statement.every((part) => seen.includes(part))
  }
}
