/** `npm test`: set-up, build, `check`, and the journeys. Everything runs even when something failed; the last line counts. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { ensureInstalled, root } from './install.mjs'
import { run } from './run.mjs'
import { setUpTests } from './setup-tests.mjs'

const deep = process.argv.includes('--deep')
const total = { passed: 0, failed: 0 }
/** What failed, by step and name: said again at the end, where a long output is still looked at. */
const failures = []

async function step(name, argv, { timeoutMs = 900_000, env = {}, count } = {}) {
  const began = Date.now()
  const { status } = await run(process.execPath, argv, {
    cwd: root,
    timeoutMs,
    env: { ...process.env, BELAY_DEEP: deep ? '1' : '', ...env },
  })
  const counted = count?.() ?? { passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1 }
  // A runner that died without counting its failure is a failure all the same.
  if (status !== 0 && counted.failed === 0) counted.failed = 1
  if (counted.failed > 0)
    failures.push(...(counted.names?.length ? counted.names : [`exit ${status}`]).map(each => `${name}: ${each}`))
  total.passed += counted.passed
  total.failed += counted.failed
  for (const each of counted.again ?? []) console.log(`passed only when it ran again: ${each}`)
  console.log(
    `== ${name}: ${counted.passed} passed, ${counted.failed} failed (${((Date.now() - began) / 1000).toFixed(0)} s)`,
  )
  return counted.failed === 0
}

const readReport = (file, read) => () => {
  try {
    return read(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return { passed: 0, failed: 1 }
  }
}

const journeysThat = (were, { suites = [], specs = [] }) => [
  ...specs.filter(({ tests }) => tests.some(({ status }) => status === were)).map(({ title }) => title),
  ...suites.flatMap(suite => journeysThat(were, suite)),
]
/** A file that failed before its first test has none that failed: it stands for itself. */
const unitFailures = file =>
  file.assertionResults.some(({ status }) => status === 'failed')
    ? file.assertionResults.flatMap(each => (each.status === 'failed' ? each.fullName : []))
    : file.status === 'failed'
      ? [relative(root, file.name)]
      : []

await ensureInstalled()
if (!setUpTests()) {
  console.log('0 passed, 1 failed')
  process.exit(1)
}
const reports = mkdtempSync(join(tmpdir(), 'belay-reports-'))
try {
  const built = await step('build', ['scripts/build.mjs'])
  await step('types', ['scripts/types.mjs'])
  await step('format and lint', ['node_modules/@biomejs/biome/bin/biome', 'check', '.'])
  await step('rooms', ['scripts/rooms/check.mjs'])
  await step('catalogues', ['scripts/i18n-check.mjs'])
  const unit = join(reports, 'unit.json')
  await step(
    'unit tests',
    ['node_modules/vitest/vitest.mjs', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${unit}`],
    {
      timeoutMs: deep ? 3_600_000 : 1_800_000,
      count: readReport(unit, report => {
        const names = report.testResults.flatMap(unitFailures)
        return {
          passed: report.numPassedTests,
          failed: names.length,
          names,
          again: report.testResults.flatMap(file =>
            file.assertionResults.flatMap(each =>
              each.status === 'passed' && each.failureMessages.length > 0 ? each.fullName : [],
            ),
          ),
        }
      }),
    },
  )
  if (built) {
    // The usual run; the deep one also takes the same journeys through the desktop's window, on the double of Electron.
    for (const form of deep ? ['web', 'double'] : ['web']) {
      const journeys = join(reports, `journeys-${form}.json`)
      const name = form === 'web' ? 'journeys' : `journeys on the desktop's ${form}`
      await step(name, ['node_modules/@playwright/test/cli.js', 'test', '-c', 'e2e/playwright.config.ts'], {
        timeoutMs: deep ? 7_200_000 : 3_000_000,
        env: { PLAYWRIGHT_JSON_OUTPUT_NAME: journeys, BELAY_FORM: form },
        count: readReport(journeys, ({ stats, suites }) => ({
          passed: stats.expected + stats.flaky,
          failed: stats.unexpected,
          names: journeysThat('unexpected', { suites }),
          again: journeysThat('flaky', { suites }),
        })),
      })
    }
  } else total.failed += 1
} finally {
  rmSync(reports, { recursive: true, force: true })
}
for (const each of failures) console.log(`failed: ${each}`)
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed > 0 ? 1 : 0)
