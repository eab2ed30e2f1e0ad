/** The built main on a real Electron, by Playwright; asked the same things as the double. It could not be run where it was written. */
import { join } from 'node:path'
import { _electron, type ElectronApplication } from '@playwright/test'
import { electronBinary } from '../../../scripts/electron-binary.mjs'
import type { Asking } from '../double/asking.ts'
import { builtDouble } from '../double/build.ts'
import type { Remote } from '../double/remote.ts'
import type { HookedMain } from './main-hook.ts'

const root = join(import.meta.dirname, '../../..')

export interface LaunchedElectron {
  readonly app: ElectronApplication
  readonly asking: Asking
  faults(): Promise<readonly string[]>
  readonly exited: Promise<number | null>
}

/** @throws where the program is not here; `npm run e2e:electron` has said so before. */
export async function launchOnElectron(options: {
  args: readonly string[]
  env: Record<string, string>
  cwd: string
}): Promise<LaunchedElectron> {
  const executablePath = electronBinary()
  if (!executablePath) throw new Error('The Electron binary is not here.')
  const app = await _electron.launch({
    executablePath,
    args: [
      '-r',
      join(await builtDouble(), 'main-hook.cjs'),
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      root,
      ...options.args,
    ],
    // A display, and what else the machine needs to show a window.
    env: { ...displayOf(process.env), ...options.env },
    cwd: options.cwd,
  })
  const child = app.process()
  const exited = new Promise<number | null>(resolve => child.once('exit', resolve))
  const ask = (method: string, args: unknown[]) =>
    app.evaluate(
      (_electron, [name, given]) => {
        const main = (globalThis as unknown as { belayTest: Record<string, (...args: unknown[]) => unknown> }).belayTest
        const asked = main[name]
        if (!asked) throw new Error(`${name}: a real Electron cannot be asked that`)
        return asked(...given)
      },
      [method, args] as const,
    )
  return {
    app,
    exited,
    faults: () => ask('faults' satisfies keyof HookedMain, []) as Promise<string[]>,
    asking: new Proxy({} as Asking, {
      get: (own, name) =>
        name in own || name === 'then'
          ? Reflect.get(own, name)
          : (...args: unknown[]) => ask(name as keyof Remote, args),
    }),
  }
}

const displayOf = (env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(
    ['DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS'].flatMap(name => {
      const value = env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
