import { setTimeout } from 'node:timers/promises'
import type pg from 'pg'
import { compareAudit, findViolations, type Violation } from '#database/check.ts'
import { newClient } from '#database/hosts.ts'
import { startPaymentProvider } from '#sandbox/payment-provider.ts'
import { onConfiguredDatabase } from '#scripts/configured-database.ts'
import { sandboxProviderShare } from '#server/db/budget.ts'
import type { Config } from '#server/config.ts'
import { compareCash, compareUntilQuiet, compareWithProvider } from '#server/features/payments/ledger.ts'
import { openPayment } from '#server/providers/payment.ts'

// npm run check [-- ENTRY:HASH …]: what must always hold, on any database, and that the ledger agrees with the payment provider. Prints what is broken:
// nothing. Hashes of the audit log that were kept in the server's log or an email are compared with the entries that they name.

const LOOK_AGAIN_MS = 1_000

await onConfiguredDatabase(async (url, config) => {
  const client = newClient({ connectionString: url })
  client.on('error', () => {}) // a connection that breaks fails its query; without a listener it would end the process
  await client.connect()
  try {
    const violations = [
      ...(await findViolations(client)),
      ...(await compareAudit(client, process.argv.slice(2))),
      ...(await askProvider(client, url, config)),
    ]
    for (const { rule, rows } of violations) console.log(`✗ ${rule}\n${JSON.stringify(rows.slice(0, 20), null, 2)}`)
    if (violations.length === 0) console.log('Everything holds.')
    process.exitCode = violations.length > 0 ? 1 : 0
  } finally {
    await client.end()
  }
})

async function askProvider(client: pg.Client, url: string, config: Config): Promise<Violation[]> {
  if (!config.stripe && !config.sandbox) return []
  const sandbox = config.stripe
    ? undefined
    : await startPaymentProvider({ ...config, databaseUrl: url, connections: sandboxProviderShare(config.databaseConnections) })
  try {
    const payment = config.stripe ? openPayment(config.stripe) : sandbox && openPayment(sandbox.keys, sandbox)
    if (!payment) return []
    const settled = (look: typeof compareCash) =>
      compareUntilQuiet(
        () => look(client, payment.stripe),
        () => setTimeout(LOOK_AGAIN_MS),
      )
    const compared = {
      "30: ledger: the clearing account is the provider's balance": await settled(compareWithProvider),
      "30: ledger: the cash account is the buyers' cash balances": await settled(compareCash),
    }
    return Object.entries(compared).flatMap(([rule, sums]) => (sums.ledger === sums.provider ? [] : [{ rule, rows: [sums] }]))
  } finally {
    await sandbox?.sandbox.stop()
  }
}
