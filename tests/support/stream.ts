import { request, type IncomingMessage } from 'node:http'

export type StreamEvent = { id: string; event: string; data: any }

export type Stream = {
  status: number
  headers: IncomingMessage['headers']
  /** Every byte so far. */
  raw: () => string
  events: StreamEvent[]
  /** The newest id, also of a message that has nothing else. */
  lastId: () => string
  /** Resolves as soon as the events so far satisfy this. */
  until: (enough: (events: StreamEvent[]) => boolean) => Promise<StreamEvent[]>
  ended: Promise<void>
  /** Stops reading, as a phone in a tunnel does. */
  pause: () => void
  resume: () => void
  close: () => void
}

/** What a browser's EventSource does, with everything that it hides; events of ignored kinds are left out. */
export async function openStream(url: string, headers: Record<string, string> = {}, ignored: readonly string[] = []): Promise<Stream> {
  const asked = request(url, { headers: { accept: 'text/event-stream', ...headers }, agent: false })
  const answer = await new Promise<IncomingMessage>((resolve, reject) => asked.on('response', resolve).on('error', reject).end())
  const chunks: string[] = []
  let rest = ''
  let id = ''
  const events: StreamEvent[] = []
  const listeners = new Set<() => void>()

  answer.setEncoding('utf8').on('data', (chunk: string) => {
    chunks.push(chunk)
    const frames = (rest + chunk).split('\n\n')
    rest = frames.pop() ?? ''
    for (const frame of frames) {
      const fields = new Map(frame.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]))
      id = fields.get('id') ?? id
      const data = fields.get('data')
      const event = fields.get('event') ?? 'message'
      if (data !== undefined && !ignored.includes(event)) events.push({ id, event, data: JSON.parse(data) })
    }
    for (const listener of listeners) listener()
  })
  answer.on('error', () => undefined)
  const ended = new Promise<void>((resolve) => answer.once('close', resolve))

  return {
    status: answer.statusCode ?? 0,
    headers: answer.headers,
    raw: () => chunks.join(''),
    events,
    lastId: () => id,
    until: (enough) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (!enough(events)) return
          listeners.delete(look)
          resolve(events)
        }
        listeners.add(look)
        look()
        void ended.then(() => reject(new Error(`the stream ended first, after ${JSON.stringify(events.slice(-3))}`)))
      }),
    ended,
    pause: () => void answer.pause(),
    resume: () => void answer.resume(),
    close: () => void asked.destroy(),
  }
}
