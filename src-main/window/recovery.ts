/**
 * A page that is gone is made anew, with what the core kept of it; one that is gone three times within a minute asks first.
 * A page that does not answer is waited for or made anew, as the person says; the question goes away when it answers again.
 */
import { type BrowserWindow, dialog } from 'electron'
import type { GoneReason } from '#contract/host'
import type { Log } from '../../sidecar/base/log.ts'
import { say } from '../words.ts'
import { createOften } from './often.ts'

const MOST = 3
const WITHIN_MS = 60_000

export interface Recovery {
  begin(): void
  /** Why the page before is no more; once. */
  takeGone(): GoneReason | null
}

/** `load` shows the page from its beginning and rejects when it cannot be had; `begin` calls it first. For the life of the window. */
export function keepPage(window: BrowserWindow, load: () => Promise<void>, log: Log): Recovery {
  const { webContents } = window
  const often = createOften(MOST, WITHIN_MS)
  let gone: GoneReason | null = null
  /** The person gave the page up. */
  let givenUp = false
  let question: AbortController | null = null

  const begin = () => {
    if (window.isDestroyed()) return
    load().catch(fault => {
      // A page that is gone is told of by its own event.
      if (webContents.isCrashed()) return
      log('error', 'the page was not loaded', { fault: `${fault}` })
      void ask(say('gone.load'))
    })
  }
  const ask = async (message: string, ...why: string[]) => {
    if (window.isDestroyed()) return
    window.show()
    const answered = await dialog
      .showMessageBox(window, {
        type: 'error',
        message,
        detail: [...why, say('gone.kept')].join('\n\n'),
        buttons: [say('gone.reload'), say('gone.close')],
        defaultId: 0,
        cancelId: 1,
        noLink: true,
      })
      .catch(fault => void log('error', 'a question was not shown', { fault: `${fault}` }))
    if (!answered || window.isDestroyed()) return
    often.forget()
    if (answered.response === 0) begin()
    else window.destroy()
  }
  const askHung = async () => {
    if (question || window.isDestroyed()) return
    question = new AbortController()
    const { signal } = question
    const answered = await dialog
      .showMessageBox(window, {
        type: 'warning',
        message: say('hang.title'),
        detail: say('hang.detail'),
        buttons: [say('hang.wait'), say('hang.reload')],
        defaultId: 0,
        cancelId: 0,
        noLink: true,
        signal,
      })
      .catch(fault => void log('error', 'a question was not shown', { fault: `${fault}` }))
    question = null
    if (answered?.response !== 1 || signal.aborted || window.isDestroyed()) return
    givenUp = true
    webContents.forcefullyCrashRenderer()
  }

  webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    question?.abort()
    if (reason === 'clean-exit') return
    log('error', 'a page is gone', { reason, exitCode, givenUp })
    gone = givenUp ? 'hung' : reason
    const tooOften = !givenUp && often.again(performance.now())
    givenUp = false
    // Not within the event: Chromium is still taking the old page down.
    setImmediate(() => {
      if (tooOften) void ask(say('gone.title', { count: often.count }), say(`gone.${reason}`))
      else begin()
    })
  })
  window.on('unresponsive', () => void askHung())
  window.on('responsive', () => question?.abort())
  window.on('closed', () => question?.abort())
  return {
    begin,
    takeGone() {
      const why = gone
      gone = null
      return why
    },
  }
}
