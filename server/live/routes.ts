import type { FastifyInstance, FastifyReply } from 'fastify'
import type { OutgoingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import { z } from 'zod'
import { eventsQuery } from '#contract/live.ts'
import type { Cookies } from '#server/http/cookies.ts'
import { checkAccess } from '#server/http/serve.ts'
import { isUuid } from '#server/http/uuid.ts'
import { visitor, type Viewer } from '#server/http/viewer.ts'
import type { StreamTopics } from '#server/live/followers.ts'
import type { LiveHub } from '#server/live/hub.ts'
import { streamLimit } from '#server/live/stream-limit.ts'

const greeting = Buffer.from('retry: 2000\n: live\n\n')

/** API.md: GET /api/v1/events, live prices for everybody and one's own news for whoever is logged in. */
export type LiveDeps = { live: LiveHub; cookies: Cookies }

export function liveRoutes(app: FastifyInstance, { live, cookies }: LiveDeps): void {
  const countStream = streamLimit()
  app.addHook('onReady', async () => live.start(app.log))
  // ahead of everything else that a stop waits for
  app.addHook('preClose', async () => live.endStreams())
  app.addHook('onClose', () => live.stop())

  app.get<{ Querystring: z.output<typeof eventsQuery> }>(
    '/api/v1/events',
    {
      config: { access: 'anyone' },
      exposeHeadRoute: false,
      schema: {
        summary: 'What changes, as it changes: Server-Sent Events with an id each; Last-Event-ID goes on where it ended',
        tags: ['events'],
        querystring: eventsQuery,
        response: { 200: z.string() },
      },
    },
    async (request, reply) => {
      cookies.checkOrigin(request)
      const { topics, last_event_id, versions } = request.query
      const wanted = wantedBy(topics, request.viewer)
      const header = request.headers['last-event-id']
      const since = { lastEventId: typeof header === 'string' ? header : last_event_id, versions: versions === '1' }
      countStream(request.viewer, request.ip, request.raw.socket)
      // a stream may stay for days: who asked is not kept with it
      request.viewer = visitor
      const socket = openStream(reply)
      try {
        await live.follow(socket, wanted, since)
      } catch (error) {
        request.log.warn({ err: error, event: 'live_fault' }, 'a stream could not begin')
        socket.destroy()
      }
      return reply
    },
  )
}

function wantedBy(topics: readonly string[], viewer: Viewer): StreamTopics {
  const isMine = topics.includes('me')
  if (isMine) checkAccess(viewer, 'member', undefined)
  const isMarket = topics.includes('market')
  if (isMarket) checkAccess(viewer, 'member', 'market_view_enquiry')
  return {
    // an id that no listing can have is followed in silence, like one that the caller may not see
    listingIds: topics.flatMap((topic) => (topic.startsWith('listing:') && isUuid(topic.slice(8)) ? [topic.slice(8).toLowerCase()] : [])),
    isAll: topics.includes('listings'),
    isMarket,
    me: isMine && viewer.user ? { userId: viewer.user.id, tokenHash: viewer.tokenHash.toString('hex') } : null,
  }
}

/** The answer's head, and then the bare connection: what is written to it goes out as it is, without a frame per write. */
function openStream(reply: FastifyReply): Socket {
  reply.hijack()
  const { raw } = reply
  const { socket } = raw
  if (!socket) throw new Error('a request that is being answered has a connection')
  raw.useChunkedEncodingByDefault = false
  reply.headers({ 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no', connection: 'close' })
  raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders)
  raw.flushHeaders()
  socket.write(greeting)
  return socket
}
