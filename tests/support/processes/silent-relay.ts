import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export type SilentRelay = {
  port: number
  /** Every open connection stays open and is never heard of again, as with a dead link or a frozen host. New ones work. */
  swallow(): void
  /** The same for connections that are made from now on, or no longer. */
  swallowNew(isOn: boolean): void
  close(): void
}

/** A line between a server and its database that can lose connections without a word. */
export async function silentRelay(targetPort: () => number): Promise<SilentRelay> {
  const links = new Set<{ near: Socket; far: Socket }>()
  const near = new Set<Socket>()
  let swallowsNew = false

  const line = createServer((socket) => {
    near.add(socket)
    socket.on('error', () => socket.destroy()).on('close', () => near.delete(socket))
    if (swallowsNew) return void socket.resume()
    const link = { near: socket, far: connect(targetPort(), '127.0.0.1') }
    links.add(link)
    socket.pipe(link.far).pipe(socket)
    const end = () => {
      if (!links.delete(link)) return
      socket.destroy()
      link.far.destroy()
    }
    link.far.on('error', end).on('close', end)
    socket.on('close', end)
  }).listen(0, '127.0.0.1')
  await once(line, 'listening')

  return {
    port: (line.address() as AddressInfo).port,
    swallow() {
      for (const link of links) {
        links.delete(link)
        link.near.unpipe(link.far)
        link.far.unpipe(link.near)
        link.near.resume()
        link.far.destroy()
      }
    },
    swallowNew: (isOn) => void (swallowsNew = isOn),
    close() {
      line.close()
      for (const socket of near) socket.destroy()
    },
  }
}
