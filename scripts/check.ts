import type pg from 'pg'
import { findViolations, type Violation } from '#database/check.ts'
import { newClient } from '#database/hosts.ts'
import { startPaymentProvider } from '#sandbox/payment-provider.ts'
import { onConfiguredDatabase } from '#scripts/configured-database.ts'
import type { Config } from '#server/config.ts'
import { compareWithProvider } from '#server/features/payments/ledger.ts'
import { openPayment } from '#server/providers/payment.ts'

// npm run check: what must always hold, on any database, and that the ledger agrees with the payment provider. Prints what is broken:
// nothing.

await onConfiguredDatabase(async (url, config) => {
  const client = newClient({ connectionString: url })
  client.on('error', () => {}) // a connection that breaks fails its query; without a listener it would end the process
  await client.connect()
  try {
    const violations = [...(await findViolations(client)), ...(await askProvider(client, url, config))]
    for (const { rule, rows } of violations) console.log(`✗ ${rule}\n${JSON.stringify(rows.slice(0, 20), null, 2)}`)
    if (violations.length === 0) console.log('Everything holds.')
    process.exitCode = violations.length > 0 ? 1 : 0
  } finally {
    await client.end()
  }
})

async function askProvider(client: pg.Client, url: string, config: Config): Promise<Violation[]> {
  if (!config.stripe && !config.sandbox) return []
  const sandbox = config.stripe ? undefined : await startPaymentProvider({ ...config, databaseUrl: url })
  try {
    const payment = config.stripe ? openPayment(config.stripe) : sandbox && openPayment(sandbox.keys, sandbox)
    if (!payment) return []
    const sums = await compareWithProvider(client, payment.stripe)
    return sums.ledger === sums.provider ? [] : [{ rule: "30: ledger: the clearing account is the provider's balance", rows: [sums] }]
  } finally {
    await sandbox?.sandbox.stop()
  }
}
