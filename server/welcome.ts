import { demoPassword, demoUsers } from '#database/demo/users.ts'
import type { Config } from '#server/config.ts'

/** What `npm start` says when the product is there. */
export function welcome(config: Config): string {
  const lines = [`Yardbid is running: ${config.publicUrl}`]
  if (!config.sandbox) return [...lines, ...missing(config)].join('\n')
  return [
    ...lines,
    '',
    'THIS IS A SANDBOX: DEMO DATA, PASSWORDS THAT EVERYBODY KNOWS, NO REAL MONEY. NOT FOR REAL BUSINESS.',
    `Nothing leaves this machine. E-mails: ${config.publicUrl}/sandbox/mail`,
    ...config.misspelt,
    `Demo logins, all with the password ${demoPassword}:`,
    ...demoUsers.map(({ email, about }) => `  ${email.padEnd(22)} ${about}`),
    '',
    'Ctrl-C stops it.',
  ].join('\n')
}

/** What production lacks, a line each. */
export function missing({ smtpUrl, mailFrom, addressApiKey, sessionSecret, stripe, s3, publicUrl, trustProxy }: Config): string[] {
  return [
    smtpUrl ? '' : 'SMTP_URL is not set: e-mails wait until it is.',
    /\.test>?$/.test(mailFrom) ? `MAIL_FROM is ${mailFrom}: mail servers refuse a sender on .test.` : '',
    addressApiKey ? '' : 'ADDRESS_API_KEY is not set: the address lookup answers that it is not available.',
    stripe ? '' : 'STRIPE_SECRET_KEY is not set: payment accounts and subscriptions wait until it is.',
    sessionSecret ? '' : 'SESSION_SECRET is not set: a key in the data folder is used, which only this machine knows.',
    s3 ? '' : 'S3_BUCKET is not set: uploads are files on this machine, which processes on other machines do not see.',
    publicUrl.startsWith('https:') && trustProxy.length === 0
      ? 'TRUST_PROXY is not set, and PUBLIC_URL is behind a proxy: all visitors count as one for the limits on attempts.'
      : '',
  ].filter(Boolean)
}
