import type { Server } from 'node:http'
import { BlockList, isIPv6, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { networkOf } from '#server/http/attempts.ts'

export type ConnectionLimits = {
  /** Open connections in all, and of one address. */
  most: number
  mostPerAddress: number
  /** How long an answer may wait for a client that reads nothing. */
  readWithinMs: number
}

/**
 * Closes connections beyond the limits as they are made. Proxies that are trusted, and this machine, are not counted by address: they
 * connect for many people, and for whom is known only once a request has been read.
 */
export function limitConnections(server: Server, { most, mostPerAddress }: ConnectionLimits, isProxy: (address: string) => boolean): void {
  const open = new Map<string, number>()
  server.maxConnections = most
  server.prependListener('connection', (socket: Socket) => {
    const address = socket.remoteAddress
    if (address === undefined || isProxy(address)) return
    const network = networkOf(address)
    const count = open.get(network) ?? 0
    if (count >= mostPerAddress) return void socket.destroy()
    open.set(network, count + 1)
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1
      if (left > 0) open.set(network, left)
      else open.delete(network)
    })
  })
}

/**
 * Closes the connection of a client that reads nothing for too long, as the server's `connectionTimeout` says. It counts from the last
 * byte that was sent or received; an answer that is still being made has nothing to send, and is not the client's fault.
 */
export function limitReadTime(app: FastifyInstance): void {
  app.addHook('onRequest', async (_request, { raw }) => {
    raw.on('timeout', (socket: Socket) => {
      if (socket.writableLength > 0 || raw.writableLength > 0) socket.destroy()
    })
  })
}

const networks: Record<string, readonly string[]> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/** Whether an address is this machine's or that of a proxy, as TRUST_PROXY names them. */
export function proxiesOf(trustProxy: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const network of ['loopback', ...trustProxy].flatMap((name) => networks[name] ?? [name])) {
    const [address = '', bits] = network.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  // an IPv4 address in its IPv6 form is found among the IPv4 ones
  return (address) => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}
