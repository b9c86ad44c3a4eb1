import { connect, type Socket } from 'node:net'

// The other side of benchmarks/live.ts, in a process of its own: many connections that follow one listing and note what arrives when.

export type Ask = { port: number; topics: string; connections: number } | 'report'
export type Tell = 'connected' | { version: number } | { writtenAt: number[]; lastAt: number[]; counts: number[]; outOfOrder: number }

const writtenAt: number[] = []
const lastAt: number[] = []
const counts: number[] = []
let outOfOrder = 0
let wanted = 0

process.on('message', (ask: Ask) => {
  if (ask === 'report') return void tell({ writtenAt, lastAt, counts, outOfOrder })
  wanted = ask.connections
  void openAll(ask)
})

const tell = (message: Tell) => process.send?.(message)

async function openAll({ port, topics, connections }: Exclude<Ask, 'report'>): Promise<void> {
  const AT_ONCE = 100
  for (let open = 0; open < connections; open += AT_ONCE)
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, connections - open) }, () => openOne(port, topics)))
  tell('connected')
}

function openOne(port: number, topics: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1').setNoDelay(true).setEncoding('latin1')
    socket.write(`GET /api/v1/events?topics=${topics} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n`)
    let rest = ''
    let version = 0
    socket.on('data', (chunk: string) => {
      rest += chunk
      for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
        const frame = rest.slice(0, end)
        rest = rest.slice(end + 2)
        // the first frame with an id and nothing else says that the connection follows
        if (/^id: \d+$/.test(frame)) resolve(socket)
        const next = Number(/"version":(\d+)/.exec(frame)?.[1] ?? 0)
        if (next > 0) note(next, next === version + 1, frame)
        version = next || version
      }
    })
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('the server closed a connection')))
  })
}

function note(version: number, isInOrder: boolean, frame: string): void {
  if (!isInOrder) outOfOrder++
  writtenAt[version] ??= Date.parse(/"server_time":"([^"]+)"/.exec(frame)?.[1] ?? '')
  counts[version] = (counts[version] ?? 0) + 1
  lastAt[version] = performance.timeOrigin + performance.now()
  if (counts[version] === wanted) tell({ version })
}
