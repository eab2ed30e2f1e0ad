/** `node run.mjs <main.js> [arguments]`: the built main process on the double; a parent asks over the fork channel. */
import { existsSync } from 'node:fs'
import { register } from 'node:module'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { app } from '../modules/app.ts'
import { options } from '../options.ts'
import { fault } from '../record.ts'
import { MAIN_BEGAN, remote } from '../remote.ts'
import { appRoot, mainFile } from './app-root.ts'

export interface Asked {
  readonly id: number
  readonly method: keyof typeof remote
  readonly args: unknown[]
}
export type Answered =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly failed: string }

const WAIT_STEP_MS = 20
const EVALUATE_MS = options.evaluateMs ?? 20_000

process.on('message', async ({ id, method, args }: Asked) => {
  const answer = await Promise.resolve()
    .then(() => (remote[method] as (...args: unknown[]) => unknown)(...args))
    .then(
      (value): Answered => ({ id, value }),
      (failed): Answered => ({ id, failed: String(failed) }),
    )
  if (process.connected) process.send?.(answer)
})
process.on('disconnect', () => app.exit(1))
// Electron asks as for any quit.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => app.quit())

const electron = pathToFileURL(join(import.meta.dirname, 'electron.mjs')).href
const hooks = `export const resolve = (name, context, next) =>
  name === 'electron' || name === 'electron/main' ? { url: ${JSON.stringify(electron)}, shortCircuit: true } : next(name, context)`
register(`data:text/javascript,${encodeURIComponent(hooks)}`)

// As Electron has it: the executable, the app unless it is packaged, what the person gave.
process.argv.splice(1, 2, ...(options.packaged ? [] : [appRoot]))
Object.assign(process, {
  type: 'browser',
  defaultApp: !options.packaged || undefined,
  resourcesPath: join(appRoot, 'resources'),
})

while (options.waitsFor && !existsSync(options.waitsFor)) await pause(WAIT_STEP_MS)
const stuck = setTimeout(() => {
  fault(`main was not evaluated within ${EVALUATE_MS} ms: a top-level await for the ready app never ends in Electron`)
  process.exit(1)
}, EVALUATE_MS)
performance.mark(MAIN_BEGAN, { detail: process.cpuUsage() })
await import(pathToFileURL(mainFile).href)
clearTimeout(stuck)
app.mainEvaluated()
