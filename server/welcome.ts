import { demoPassword, demoUsers } from '#database/demo/users.ts'
import type { Config } from '#server/config.ts'

/** What `npm start` says when the product is there. */
export function welcome(config: Config): string {
  const lines = [`Yardbid is running: ${config.publicUrl}`]
  if (!config.sandbox) return [...lines, ...missing(config)].join('\n')
  return [
    ...lines,
    '',
    `Sandbox: nothing leaves this machine. E-mails: ${config.publicUrl}/sandbox/mail`,
    `Demo logins, all with the password ${demoPassword}:`,
    ...demoUsers.map(({ email, about }) => `  ${email.padEnd(22)} ${about}`),
    '',
    'Ctrl-C stops it.',
  ].join('\n')
}

function missing({ smtpUrl, addressApiKey, sessionSecret, stripe }: Config): string[] {
  return [
    smtpUrl ? '' : 'SMTP_URL is not set: e-mails wait until it is.',
    addressApiKey ? '' : 'ADDRESS_API_KEY is not set: the address lookup answers that it is not available.',
    stripe ? '' : 'STRIPE_SECRET_KEY is not set: payment accounts and subscriptions wait until it is.',
    sessionSecret ? '' : 'SESSION_SECRET is not set: a key in the data folder is used, which only this machine knows.',
  ].filter(Boolean)
}
