import { startStripeSandbox } from '#sandbox/stripe/server.ts'

// The payment provider of `deals`, in a process of its own; argument: its database. Tells its address, hears where its events go, and runs
// until it is killed.

const [databaseUrl = ''] = process.argv.slice(2)
const { url, setWebhook } = await startStripeSandbox({ databaseUrl, connections: 8 })
process.on('message', (webhook: string) => setWebhook(webhook))
process.send?.(url)
