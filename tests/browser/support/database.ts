import pg from 'pg'
import { OWNER_ROLE, readPassword } from '#database/embedded-folder.ts'
import { findPostmaster } from '#database/embedded-postmaster.ts'

const DATA_DIR = '.cache/browser-data'

/** What the payment provider and the onboarding screens will do: until they exist the row is set here. */
export const finishOnboarding = (email: string) =>
  asOwner('update users set payment_account_completed = true, payment_account_verified = true, onboarding_stage = null where email = $1', [
    email,
  ])

export const endSessions = (email: string) =>
  asOwner('delete from sessions where user_id = (select id from users where email = $1)', [email])

export const countUsers = async (email: string): Promise<number> =>
  (await asOwner('select from users where email = $1', [email])).rowCount ?? 0

async function asOwner(sql: string, values: unknown[]) {
  const dir = `${DATA_DIR}/pg`
  const server = findPostmaster(dir)
  if (!server) throw new Error('the database of the browser tests does not run')
  const client = new pg.Client({
    host: '127.0.0.1',
    port: server.port,
    user: OWNER_ROLE,
    password: await readPassword(dir),
    database: 'yardbid',
  })
  await client.connect()
  try {
    return await client.query(sql, values)
  } finally {
    await client.end()
  }
}
