/** The desktop form, on the double of electron or on a real one: main's own work, its window, the first paint, a usable window. */
import { join } from 'node:path'
import { _electron, chromium } from 'playwright-core'
import { runnerImport } from 'vite'
import { root } from '../../scripts/install.mjs'
import { usable } from './page.mjs'

const APPEAR_MS = 60_000

/** What `look` finds, asked for again and again until it is there. */
async function found(what, look) {
  for (const deadline = Date.now() + APPEAR_MS; Date.now() < deadline; ) {
    const one = look()
    if (one) return one
    await new Promise(resolve => setTimeout(resolve, 5))
  }
  throw new Error(`${what} did not come within ${APPEAR_MS / 1000} s`)
}

const pageOf = context =>
  found('A page of Belay', () => context.pages().find(each => /belay\.app\.localhost|^app:/.test(each.url())))

/** What main says of its start (src-main/marks.ts). */
const marksIn = output =>
  found('What main says of its start', () => {
    const line = output()
      .split('\n')
      .find(each => each.includes('"message":"start"'))
    return line && JSON.parse(line)
  })

/** `atRest` looks at the processes while the window is open and does nothing. */
export async function doubleTimes(home, atRest) {
  const { module } = await runnerImport(join(root, 'e2e/desktop/double/launch.ts'))
  const began = Date.now()
  const launched = await module.launchOnDouble({
    args: [root],
    cwd: root,
    env: { ...process.env, BELAY_HOME: home, BELAY_LOG: 'info' },
  })
  try {
    const browser = await chromium.connectOverCDP(await launched.asking.endpoint())
    const page = await pageOf(browser.contexts()[0])
    const { paintedAt } = await usable(page)
    const usableMs = Date.now() - began
    const marks = await marksIn(launched.output)
    const loadingBegan = await launched.asking.mainBegan()
    await atRest(launched.child.pid, page)
    await browser.close()
    return { ...timesOf(marks, loadingBegan), paintMs: paintedAt - began, usableMs }
  } finally {
    const late = setTimeout(launched.kill, 10_000)
    await launched.asking.quit().catch(launched.kill)
    await launched.exited
    clearTimeout(late)
  }
}

export async function electronTimes(executablePath, home, atRest) {
  const began = Date.now()
  const app = await _electron.launch({
    executablePath,
    args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), root, root],
    env: { ...process.env, BELAY_HOME: home, BELAY_LOG: 'info' },
  })
  let output = ''
  app.process().stderr.on('data', text => {
    output += text
  })
  try {
    const page = await app.firstWindow()
    const { paintedAt } = await usable(page)
    const usableMs = Date.now() - began
    const marks = await marksIn(() => output)
    await atRest(app.process().pid, page)
    return { ...timesOf(marks, null), paintMs: paintedAt - began, usableMs }
  } finally {
    await app.close()
  }
}

/** Without what Electron does between its start and being ready. A real one does not say when it began to load main. */
function timesOf({ main, ready, window, shown, processor }, loading) {
  const loadMs = loading === null ? 0 : main - loading.at
  const loadCpuMs = loading === null ? 0 : processor.main - loading.processor
  return {
    ownMs: loadMs + window - ready,
    ownCpuMs: loadCpuMs + processor.window - processor.ready,
    readyMs: ready - main,
    shownMs: shown - main,
  }
}
