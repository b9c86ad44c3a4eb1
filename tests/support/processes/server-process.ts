import { sandboxAddressBook } from '#sandbox/address-book.ts'
import { mailOutbox } from '#sandbox/mail-outbox.ts'
import { SANDBOX_PUBLISHABLE_KEY, SANDBOX_SECRET_KEY } from '#sandbox/stripe/server.ts'
import { sandboxVatRegister } from '#sandbox/vat-register.ts'
import { environment, readConfig } from '#server/config.ts'
import { startInstance } from '#server/instance.ts'
import { openPayment } from '#server/providers/payment.ts'

// A server in a process of its own that can be killed, while the payment provider lives on in the process of the test.
// Arguments: the provider's address and the secret of its webhook.

const [, , speakTo = '', webhookSecret = ''] = process.argv
const config = readConfig(environment())
const payment = openPayment(
  { secretKey: SANDBOX_SECRET_KEY, publishableKey: SANDBOX_PUBLISHABLE_KEY, webhookSecret },
  { speakTo, apiBase: speakTo },
)
const { app } = await startInstance({
  config,
  url: config.databaseUrl ?? '',
  web: { version: 'test', dir: null },
  outside: { mailer: mailOutbox(config.dataDir), addresses: sandboxAddressBook, vatRegister: sandboxVatRegister, payment },
})
await app.listen({ port: config.port, host: config.host })
console.log('The server is running')
