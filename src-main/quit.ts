/** Quitting asks when something runs, and then ends all of it before the app goes. A machine that goes down is not kept waiting. */
import { app, dialog, powerMonitor } from 'electron'
import { endSignals } from '../sidecar/base/end-signals.ts'
import type { Log } from '../sidecar/base/log.ts'
import type { Running } from '../sidecar/supervise/running.ts'
import type { Supervisor } from '../sidecar/supervise/supervisor.ts'
import type { Asked } from './open/arguments.ts'
import { plainLine } from './plain.ts'
import { say } from './words.ts'

export interface Quitting {
  /** There is no way back: no window may be opened any more. */
  readonly ending: boolean
  /** What was asked for too late is opened by another start, once this one has ended. */
  startAgain(asked: Asked): void
  /** As any quit, which a person may refuse; `last` runs when all has ended, and the app goes after it. */
  quitAnd(last: () => Promise<void>): void
}

/** `end` must end within seconds whatever happens; `stay` is called where the person does not quit. A second quit while the first one asks is swallowed. */
export function askBeforeQuit(options: {
  supervisor: Supervisor
  end: () => Promise<void>
  stay: () => void
  log: Log
}): Quitting {
  let state: 'running' | 'asking' | 'ending' | 'ended' = 'running'
  let question = new AbortController()
  const again: Asked[] = []
  let asked: (() => Promise<void>) | null = null
  const leave = async (code: number, last: (() => Promise<void>) | null = null) => {
    if (state === 'ending' || state === 'ended') return
    state = 'ending'
    question.abort()
    await options.end().catch(fault => options.log('error', 'ending failed', { fault: `${fault}` }))
    state = 'ended'
    await last?.()
    if (again.length > 0) startAnew(again)
    if (code === 0) app.quit()
    else app.exit(code)
  }
  const ask = async () => {
    state = 'asking'
    const last = asked
    question = new AbortController()
    // Where no dialog can be shown the person's first word counts: they asked to quit.
    const yes = await confirmed(options.supervisor, question.signal).catch(() => true)
    if (state !== 'asking') return
    state = 'running'
    if (yes) await leave(0, last)
    else options.stay()
  }
  app.on('before-quit', event => {
    if (state === 'ended') return
    event.preventDefault()
    if (state === 'running') void ask()
  })
  // Where the system or a terminal ends the app nobody is there to be asked.
  powerMonitor.on('shutdown', ((event?: { preventDefault(): void }) => {
    // It waits for the end, which is seconds away.
    event?.preventDefault()
    void leave(0)
  }) as () => void)
  app.on('browser-window-created', (_event, window) => window.on('session-end', () => void leave(0)))
  for (const [name, code] of Object.entries(endSignals)) process.on(name, () => void leave(code))
  return {
    get ending() {
      return state === 'ending' || state === 'ended'
    },
    startAgain: late => void again.push(late),
    quitAnd(last) {
      asked = last
      app.quit()
      asked = null
    },
  }
}

/** In a checkout the app's own folder comes first; an AppImage is started by its file. */
function startAnew(asked: readonly Asked[]): void {
  const { APPIMAGE } = process.env
  const own = process.argv.slice(1, app.isPackaged ? 1 : 2)
  const window = asked.some(({ newWindow }) => newWindow) ? ['--new-window'] : []
  const args = [...own, ...window, '--', ...asked.flatMap(({ targets }) => targets)]
  app.relaunch({ args, ...(APPIMAGE ? { execPath: APPIMAGE } : {}) })
}

async function confirmed(supervisor: Supervisor, signal: AbortSignal): Promise<boolean> {
  // Loaded when first needed: it knows every word of the core.
  const { whatRuns } = await import('../sidecar/supervise/running.ts')
  const running = namesOf(await whatRuns(supervisor))
  if (running.length === 0 || signal.aborted) return true
  const { response } = await dialog.showMessageBox({
    type: 'question',
    message: say('quit.question'),
    detail: `${say('quit.running')}\n${running.map(each => `• ${each}`).join('\n')}\n\n${say('quit.kept')}`,
    buttons: [say('quit.quit'), say('quit.cancel')],
    defaultId: 1,
    cancelId: 1,
    noLink: true,
    signal,
  })
  return response === 0
}

const SHOWN = 8
function namesOf({ sessions, commands, terminals }: Running): string[] {
  const all = [...sessions, ...commands, ...terminals].map(each => plainLine(each, 80))
  return all.length > SHOWN ? [...all.slice(0, SHOWN), `+ ${all.length - SHOWN}`] : all
}
