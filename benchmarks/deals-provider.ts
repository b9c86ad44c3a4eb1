import { startStripeSandbox } from '#sandbox/stripe/server.ts'

// The payment provider of the benchmark `deals`, in its own process. Its argument is the address of its database. It sends its own
// address to the benchmark, is told where to post events, and runs until it is killed.

const [databaseUrl = ''] = process.argv.slice(2)
const { url, setWebhook } = await startStripeSandbox({ databaseUrl, connections: 8 })
process.on('message', (webhook: string) => setWebhook(webhook))
process.send?.(url)
