/**
 * The journeys of a person, through the visible window only. Debian's Chromium; two at a time. No retries: a flake is a bug.
 * CI alone, on a machine that others slow down, runs a failed one once more, and names it.
 */
import { defineConfig } from '@playwright/test'
import { underPlaywright } from './chromium-features.ts'
import { DOUBLE_ONLY, formName, WEB_ONLY, webOnly } from './forms/form.ts'

/** The shell's own specs are part of the usual run, on the double; BELAY_FORM runs the journeys on another form. */
const left = {
  web: { testIgnore: [], grepInvert: [] },
  double: { testIgnore: ['**/desktop/**', ...ofWebOnly()], grepInvert: [new RegExp(WEB_ONLY)] },
  electron: { testIgnore: ofWebOnly(), grepInvert: [new RegExp(WEB_ONLY), new RegExp(DOUBLE_ONLY)] },
}[formName]

function ofWebOnly(): string[] {
  return Object.keys(webOnly).map(file => `**/web/${file}`)
}

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  ...left,
  // Limits, not expectations: a machine may be busy with other things.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  workers: 2,
  fullyParallel: true,
  retries: process.env.CI ? 1 : 0,
  forbidOnly: true,
  reporter: [['list'], ['json']],
  outputDir: '../test-results',
  use: {
    actionTimeout: 30_000,
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    // Tracing costs more than the tests themselves on a small machine.
    trace: process.env.BELAY_TRACE ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env.BELAY_CHROMIUM ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--disable-quic',
        '--no-first-run',
        underPlaywright,
      ],
    },
  },
})
