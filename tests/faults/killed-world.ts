import { createServer, request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { migrate } from '#database/migrate.ts'
import { isDatabaseAway } from '#server/db/outage.ts'
import { openWorld, type World } from '#tests/simulation/world.ts'
import { newClient } from '#tests/support/client.ts'
import { durablePostgres } from '#tests/support/processes/durable-postgres.ts'
import { connectTo } from '#tests/support/processes/postgres.ts'
import { freePort, launch, type Product } from '#tests/support/processes/product.ts'
import { seededRandom } from '#tests/support/random.ts'
import { openYard, SECRET } from '#tests/support/yard.ts'

// A simulation whose server process and PostgreSQL are killed repeatedly. People repeat requests that got no answer. The payment provider
// is never killed.

export type Kills = { server: number; postgres: number }

/** Answers a world that kills as often as is wanted, and how often it has. */
export async function openKilledWorld(seed: number, wanted: Kills): Promise<{ world: World; killed: Kills }> {
  process.setMaxListeners(0) // every server launched leaves a listener
  const killed: Kills = { server: 0, postgres: 0 }
  const random = seededRandom(seed)
  const postgres = await durablePostgres()
  await migrate(postgres.url)
  const port = await freePort()
  let isClosing = false
  let server: Product | undefined
  let keeping: Promise<void> | undefined

  async function keepRunning(variables: Record<string, string>, provider: readonly string[]): Promise<void> {
    while (!isClosing) {
      server = launch(['tests/support/processes/server-process.ts', ...provider], { ...variables, PORT: String(port) })
      const hasStarted = await server.says('The server is running').then(
        () => true,
        () => false,
      )
      if (hasStarted && killed.server < wanted.server && !isClosing) {
        await pause(random.between(200, 1_500))
        server.signal('SIGKILL')
        killed.server++
      }
      if (isClosing) server.signal('SIGKILL')
      await server.ended
    }
  }

  const door = await retryingDoor(port)
  const world = await openWorld(seed, {
    isKilled: true,
    async open({ env = {}, ...options } = {}) {
      const killable = { database: { url: postgres.url, drop: async () => undefined }, connect: connectAgain }
      const yard = await openYard({ ...options, env: { ...env, ROLE: 'web' }, killable })
      const variables = {
        ...env,
        SANDBOX: '1',
        DATABASE_URL: postgres.url,
        DATA_DIR: yard.dataDir,
        SESSION_SECRET: SECRET,
        PUBLIC_URL: 'http://localhost:3000',
        LOG_LEVEL: 'silent',
      }
      keeping = keepRunning(variables, [yard.bank.url, yard.payment.webhookSecret])
      return {
        ...yard,
        url: door.url,
        client: (cookies) => newClient(door.url, cookies),
        async close() {
          isClosing = true
          server?.signal('SIGKILL')
          await keeping
          door.close()
          await yard.close()
          await postgres.remove()
        },
      }
    },
  })

  const settle = world.settle.bind(world)
  world.settle = async () => {
    // while the product does what has come due, and nobody asks it or the provider for anything
    if (killed.postgres < wanted.postgres && random.between(1, 4) === 1) {
      await pause(random.between(0, 300))
      await postgres.kill()
      await postgres.start()
      killed.postgres++
    }
    await settle()
  }
  return { world, killed }
}

/** A connection that is made again when its database comes back; what was asked of it is asked again. */
async function connectAgain(url: string, options: pg.ClientConfig = {}): Promise<pg.Client> {
  let client = await connectTo(url, options)
  async function query(text: string, values?: unknown[]): Promise<pg.QueryResult> {
    for (;;) {
      try {
        return await client.query(text, values)
      } catch (error) {
        if (!isDatabaseAway(error)) throw error
        await pause(50)
        client = await connectTo(url, options).catch(() => client)
      }
    }
  }
  return Object.assign(Object.create(client), { query, end: () => client.end() }) as pg.Client
}

/** Where people find the server, whichever process it is: sends again what was not answered. */
async function retryingDoor(port: number): Promise<{ url: string; close: () => void }> {
  const door = createServer(async (asked, answer) => {
    const body = await buffer(asked)
    for (let sends = 1; ; sends++) {
      const heard = await ask({ method: asked.method, path: asked.url, headers: asked.headers, port }, body)
      // the address of an upload takes one file: it has taken this one, and the answer was lost
      if (heard && sends > 1 && asked.method === 'PUT' && heard.status === 403) heard.status = 200
      if (heard) return void answer.writeHead(heard.status, heard.headers).end(heard.body)
      if (!door.listening) return void answer.destroy()
      await pause(50)
    }
  }).listen(0, '127.0.0.1')
  await once(door, 'listening')
  const close = () => {
    door.close()
    door.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${(door.address() as AddressInfo).port}`, close }
}

type Heard = { status: number; headers: NodeJS.Dict<string | string[]>; body: Buffer }

async function ask(options: object, body: Buffer): Promise<Heard | undefined> {
  const asked = request({ host: '127.0.0.1', agent: false, ...options })
  asked.on('error', () => {}).end(body)
  try {
    const [response] = (await once(asked, 'response')) as [IncomingMessage]
    return { status: response.statusCode ?? 500, headers: response.headers, body: await buffer(response) }
  } catch {
    // the server was killed: it is asked again
    return undefined
  }
}
