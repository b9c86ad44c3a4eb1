import { defineConfig } from '@playwright/test'
import { findBrowser } from '#scripts/browsers/chromium.ts'
import { DATA_DIR, ORIGIN, PORT } from '#tests/browser/support/place.ts'

const { executablePath, env } = await findBrowser()

export default defineConfig({
  testDir: 'tests/browser',
  testMatch: '**/*.test.ts',
  outputDir: 'test-results',
  workers: 2,
  fullyParallel: true,
  retries: 0,
  // for a slow machine: what comes at once is seen at once all the same
  timeout: 600_000,
  expect: { timeout: 90_000 },
  forbidOnly: Boolean(process.env['CI']),
  reporter: [['list']],
  use: {
    baseURL: ORIGIN,
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    // nothing that a test looks at or clicks is on its way
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath,
      env,
      // it looks for updates and services of its own at every start, which a closed network refuses many times over
      args: [
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
        '--disable-gpu',
        // a name that is not this machine's own: over plain http it is no secure context, as for a phone on the yard's network
        '--host-resolver-rules=MAP yard.test 127.0.0.1',
      ],
    },
    // recording slows every test down: `npx playwright test --trace on` when one needs a closer look
    trace: 'off',
    screenshot: 'only-on-failure',
  },
  // a test whose outcome no width can change runs at one of them alone
  projects: [
    { name: 'phone', grepInvert: /@wide/, use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } },
    { name: 'wide', grepInvert: /@phone/, use: { viewport: { width: 1440, height: 900 } } },
  ],
  webServer: {
    // a new folder each time: what a run that was killed left behind must not meet this one
    command: `rm -rf ${DATA_DIR} && exec node server/main.ts`,
    url: `${ORIGIN}/readyz`,
    // the payment provider's pages come back to the address that the tests use
    env: { PORT: String(PORT), PUBLIC_URL: ORIGIN, DATA_DIR, LOG_LEVEL: 'warn' },
    reuseExistingServer: false,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 60_000 },
    stdout: 'ignore',
    stderr: 'pipe',
    timeout: 600_000,
  },
})
