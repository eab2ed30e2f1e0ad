/** Quitting asks when something runs, and then ends all of it before the app goes. */
import { app, dialog } from 'electron'
import { type Running, whatRuns } from '../sidecar/supervise/running.ts'
import type { Supervisor } from '../sidecar/supervise/supervisor.ts'
import { say } from './words.ts'

/** `end` must end within seconds whatever happens; `stay` is called where the person does not quit. A second quit while the first one asks is swallowed. */
export function askBeforeQuit(supervisor: Supervisor, end: () => Promise<void>, stay: () => void): void {
  let state: 'running' | 'asking' | 'ended' = 'running'
  app.on('before-quit', event => {
    if (state === 'ended') return
    event.preventDefault()
    if (state === 'asking') return
    state = 'asking'
    // Where no dialog can be shown the person's first word counts: they asked to quit.
    void confirmed(supervisor)
      .catch(() => true)
      .then(async yes => {
        if (!yes) {
          state = 'running'
          return stay()
        }
        await end()
        state = 'ended'
        app.quit()
      })
  })
}

async function confirmed(supervisor: Supervisor): Promise<boolean> {
  const running = namesOf(await whatRuns(supervisor))
  if (running.length === 0) return true
  const { response } = await dialog.showMessageBox({
    type: 'question',
    message: say('quit.question'),
    detail: `${say('quit.running')}\n${running.map(each => `• ${each}`).join('\n')}\n\n${say('quit.kept')}`,
    buttons: [say('quit.quit'), say('quit.cancel')],
    defaultId: 1,
    cancelId: 1,
    noLink: true,
  })
  return response === 0
}

const SHOWN = 8
function namesOf({ sessions, commands, terminals }: Running): string[] {
  const all = [...sessions, ...commands, ...terminals].map(each => each.replace(/\s+/g, ' ').slice(0, 80))
  return all.length > SHOWN ? [...all.slice(0, SHOWN), `+ ${all.length - SHOWN}`] : all
}
