import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import path from 'node:path'
import { z } from 'zod'
import { email, vatNumber } from '#contract/fields.ts'
import { settings, type SettingKey } from '#contract/settings.ts'
import { LEAST_CONNECTIONS, LEAST_SANDBOX_CONNECTIONS } from '#server/db/budget.ts'
import { isKeyPair } from '#server/providers/push-encryption.ts'
import { findMisspelt } from '#server/misspelt.ts'

// The only reader of process.env. Everything is parsed once; every wrong variable is named in one message.

const flag = z.enum(['0', '1']).transform((text) => text === '1')
const url = z.url({ protocol: /^https?$/ }).transform((text) => text.replace(/\/+$/, ''))

const namedNetworks = ['loopback', 'linklocal', 'uniquelocal']
const isNetwork = (text: string) => {
  const [address = '', bits = '0', ...more] = text.split('/')
  const isInRange = /^\d{1,3}$/.test(bits) && Number(bits) <= (isIP(address) === 6 ? 128 : 32)
  return namedNetworks.includes(text) || (isIP(address) !== 0 && isInRange && more.length === 0)
}

const settingOverrides = z.string().transform((text, context) => {
  const problem = (message: string) => {
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  }
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    return problem('is not JSON')
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return problem('must be a JSON object')
  const overrides = new Map<SettingKey, unknown>()
  for (const [key, value] of Object.entries(given)) {
    if (!Object.hasOwn(settings, key)) return problem(`has no setting '${key}'`)
    const parsed = settings[key as SettingKey].holds.safeParse(value)
    if (!parsed.success) return problem(`'${key}' is wrong: ${parsed.error.issues[0]?.message}`)
    overrides.set(key as SettingKey, parsed.data)
  }
  return overrides
})

const variables = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: url.optional(),
  DATA_DIR: z.string().default('.data'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(?:ql)?:\/\//, 'must start with postgres://')
    // pg lets the address win over our own: the connections would keep the owner's rights
    .refine((text) => !/[?&]options=/.test(text), 'may not carry options: that is where the role of the application is set')
    .optional(),
  DATABASE_CONNECTIONS: z.coerce.number().int().min(LEAST_CONNECTIONS, `must be at least ${LEAST_CONNECTIONS}`).max(1_000).default(30),
  SANDBOX: flag.optional(),
  SESSION_SECRET: z.string().min(32, 'needs at least 32 characters').optional(),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'must start with smtp:// or smtps://')
    .optional(),
  MAIL_FROM: z.string().default('Yardbid <no-reply@yardbid.test>'),
  SUPPORT_EMAIL: email.optional(),
  ADDRESS_API_KEY: z.string().min(1).optional(),
  S3_ENDPOINT: url.optional(),
  S3_REGION: z.string().default('us-east-1'),
  S3_BUCKET: z.string().min(1).optional(),
  S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(?:sk|rk)_(?:test|live)_\w+$/, 'must be a secret key such as sk_test_…')
    .optional(),
  STRIPE_PUBLISHABLE_KEY: z
    .string()
    .regex(/^pk_(?:test|live)_\w+$/, 'must be a publishable key such as pk_test_…')
    .optional(),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^[^\s,]+(?:,[^\s,]+)*$/, 'must be a signing secret such as whsec_…, or several with commas between')
    .optional(),
  VAT_API_URL: url.default('https://api.service.hmrc.gov.uk'),
  VAT_API_CLIENT_ID: z.string().min(1).optional(),
  VAT_API_CLIENT_SECRET: z.string().min(1).optional(),
  VAT_API_OWN_NUMBER: vatNumber.optional(),
  VAPID_PUBLIC_KEY: z
    .string()
    .regex(/^[\w-]{87}=?$/, 'must be the public key of a VAPID pair in base64url')
    .optional(),
  VAPID_PRIVATE_KEY: z
    .string()
    .regex(/^[\w-]{43}=?$/, 'must be the private key of a VAPID pair in base64url')
    .optional(),
  VAPID_SUBJECT: z
    .string()
    .regex(/^(?:mailto:|https:\/\/)\S+$/, 'must be an address such as mailto:desk@yard.example')
    .optional(),
  PRIVACY_URL: url.optional(),
  TERMS_URL: url.optional(),
  TRUST_PROXY: z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean),
    )
    .refine((proxies) => proxies.every(isNetwork), 'takes addresses such as 10.0.0.1 or 10.0.0.0/8, separated by commas'),
  CONNECTIONS: z.coerce.number().int().min(1).max(1_000_000).default(10_000),
  CONNECTIONS_PER_ADDRESS: z.coerce.number().int().min(1).max(1_000_000).default(250),
  READ_WITHIN_SECONDS: z.coerce.number().min(0.1).max(3_600).default(30),
  STOP_WITHIN_SECONDS: z.coerce.number().min(1).max(3_600).default(10),
  ROLE: z.enum(['all', 'web', 'worker']).default('all'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).optional(),
  SETTINGS: settingOverrides.optional(),
})

/** The environment, with the variables of a file `.env` that it does not set itself. */
export function environment(): Record<string, string | undefined> {
  if (existsSync('.env')) process.loadEnvFile('.env')
  return process.env
}

export type Config = ReturnType<typeof readConfig>

export function readConfig(env: Record<string, string | undefined>) {
  // an empty variable is one that was not set: that is what a filled-in .env.example leaves behind
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const parsed = variables.safeParse(given)
  const problems = parsed.success ? [] : parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`)

  const isBare = given['DATABASE_URL'] === undefined && given['STRIPE_SECRET_KEY'] === undefined
  const sandbox = given['SANDBOX'] === '1' || (given['SANDBOX'] === undefined && isBare)
  if (!sandbox && given['SETTINGS']) problems.push('SETTINGS works in the sandbox alone')
  if (!sandbox && !given['DATABASE_URL']) problems.push('DATABASE_URL is needed outside the sandbox')
  const isExplicit = given['SANDBOX'] === '1'
  if (sandbox && !isExplicit && !isLoopback(given['HOST'] ?? '127.0.0.1'))
    problems.push('HOST must be this machine alone, such as 127.0.0.1: a sandbox has demo logins that everybody knows. SANDBOX=1 allows it')
  const hasSandboxProvider = sandbox && !given['STRIPE_SECRET_KEY']
  if (hasSandboxProvider && Number(parsed.data?.DATABASE_CONNECTIONS) < LEAST_SANDBOX_CONNECTIONS)
    problems.push(`DATABASE_CONNECTIONS must be at least ${LEAST_SANDBOX_CONNECTIONS} in the sandbox, whose payment provider needs some`)
  const misspelt = findMisspelt(Object.keys(given), Object.keys(variables.shape)).map(
    ({ name, meant }) => `${name} is not a variable of Yardbid: is ${meant} meant?`,
  )
  if (!isExplicit) problems.push(...misspelt)
  for (const [names, what] of together) {
    const missing = names.filter((name) => !given[name])
    if (missing.length < names.length) problems.push(...missing.map((name) => `${name} is needed too, for ${what}`))
  }
  if (
    parsed.data?.VAPID_PUBLIC_KEY &&
    parsed.data.VAPID_PRIVATE_KEY &&
    !isKeyPair(vapidOf(parsed.data) || { publicKey: '', privateKey: '' })
  )
    problems.push('VAPID_PUBLIC_KEY is not the public key of VAPID_PRIVATE_KEY')
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems)

  const values = parsed.data
  return {
    port: values.PORT,
    host: values.HOST,
    publicUrl: values.PUBLIC_URL ?? `http://localhost:${values.PORT}`,
    dataDir: path.resolve(values.DATA_DIR),
    databaseUrl: values.DATABASE_URL,
    databaseConnections: values.DATABASE_CONNECTIONS,
    sandbox,
    sessionSecret: values.SESSION_SECRET,
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM,
    supportEmail: values.SUPPORT_EMAIL ?? (sandbox ? 'support@yardbid.test' : addressIn(values.MAIL_FROM)),
    addressApiKey: values.ADDRESS_API_KEY,
    s3: s3Of(values),
    stripe: stripeOf(values),
    vatApi: vatApiOf(values),
    vapid: vapidOf(values),
    privacyUrl: values.PRIVACY_URL ?? '/privacy',
    termsUrl: values.TERMS_URL ?? '/terms',
    trustProxy: values.TRUST_PROXY,
    connections: {
      most: values.CONNECTIONS,
      mostPerAddress: values.CONNECTIONS_PER_ADDRESS,
      readWithinMs: values.READ_WITHIN_SECONDS * 1_000,
    },
    stopWithinMs: values.STOP_WITHIN_SECONDS * 1_000,
    role: values.ROLE,
    logLevel: values.LOG_LEVEL ?? (sandbox ? 'warn' : 'info'),
    settings: values.SETTINGS ?? new Map<SettingKey, unknown>(),
    /** Outside an explicit sandbox they are refused. */
    misspelt,
  }
}

/** 'Yardbid <desk@yard.example>' → 'desk@yard.example'. */
const addressIn = (sender: string) => /<([^>]+)>\s*$/.exec(sender)?.[1] ?? sender.trim()

const isLoopback = (host: string) => host === 'localhost' || host === '::1' || host.startsWith('127.')

/** All of them or none. */
const together = [
  [['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'], 'uploads to S3'],
  [['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'], 'payments by Stripe'],
  [['VAPID_PUBLIC_KEY', 'VAPID_PRIVATE_KEY', 'VAPID_SUBJECT'], 'push messages'],
  [['VAT_API_CLIENT_ID', 'VAT_API_CLIENT_SECRET'], 'the check of VAT numbers'],
] as const

const s3Of = (values: z.output<typeof variables>) =>
  values.S3_BUCKET && {
    endpoint: values.S3_ENDPOINT,
    region: values.S3_REGION,
    bucket: values.S3_BUCKET,
    accessKeyId: values.S3_ACCESS_KEY_ID ?? '',
    secretAccessKey: values.S3_SECRET_ACCESS_KEY ?? '',
  }

const stripeOf = ({ STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET }: z.output<typeof variables>) =>
  STRIPE_SECRET_KEY && {
    secretKey: STRIPE_SECRET_KEY,
    publishableKey: STRIPE_PUBLISHABLE_KEY ?? '',
    webhookSecret: STRIPE_WEBHOOK_SECRET ?? '',
  }

const vatApiOf = (values: z.output<typeof variables>) =>
  values.VAT_API_CLIENT_ID && {
    url: values.VAT_API_URL,
    clientId: values.VAT_API_CLIENT_ID,
    clientSecret: values.VAT_API_CLIENT_SECRET ?? '',
    ownNumber: values.VAT_API_OWN_NUMBER,
  }

const vapidOf = ({ VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY, VAPID_SUBJECT }: z.output<typeof variables>) =>
  VAPID_PUBLIC_KEY && { publicKey: VAPID_PUBLIC_KEY, privateKey: VAPID_PRIVATE_KEY ?? '', subject: VAPID_SUBJECT ?? '' }

export class ConfigError extends Error {
  constructor(problems: string[]) {
    super(`These environment variables are wrong:\n${problems.map((problem) => `  ${problem}`).join('\n')}\nSee .env.example.`)
    this.name = 'ConfigError'
  }
}
