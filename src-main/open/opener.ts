/** Meets what was asked for: in the window that shows it already, which then has the focus, else in a new one. */
import { resolve } from 'node:path'
import { dialog } from 'electron'
import { BelayError, toFault } from '#contract/error'
import type { Opening } from '#contract/host'
import type { SessionId } from '#contract/id'
import type { Known } from '../../sidecar/supervise/known.ts'
import { plainLine } from '../plain.ts'
import type { Quitting } from '../quit.ts'
import type { OpenWindow } from '../window/open-window.ts'
import type { Windows } from '../window/windows.ts'
import { localize, say, type Word } from '../words.ts'
import { holderOfFile, holderOfFolder } from './holder.ts'
import type { Wish } from './inbox.ts'
import { isLink, type Link, type Refusal, readLink } from './link.ts'
import { findTarget, type Target } from './target.ts'

export interface Opener {
  /** Of the first start: with the windows of the last run. Rejects where nothing can be shown. */
  begin(wish: Wish): Promise<void>
  /** Says in words what could not be opened. Never rejects. */
  meet(wish: Wish): Promise<void>
  /** In the window of the folder; a new one where none shows it. */
  show(folder: string, opening: Opening): void
}

const MOST_PATH = 1000
const refusals: Readonly<Record<Refusal, Word>> = {
  long: 'link.refused.long',
  form: 'link.refused.form',
  verb: 'link.refused.verb',
  part: 'link.refused.part',
  path: 'link.refused.path',
  session: 'link.refused.session',
}

export function createOpener(options: {
  windows: Windows
  /** Hands it to the page of the window. */
  hand: (opened: OpenWindow, opening: Opening) => void
  known: (sessionId: SessionId | null) => Promise<Known | null>
  links: () => boolean
  quitting: Quitting
}): Opener {
  const { windows } = options
  const put = (opened: OpenWindow, opening: Opening) => {
    options.hand(opened, opening)
    opened.toFront()
  }
  const windowFor = (folder: string): OpenWindow => {
    const there = holderOfFolder(windows.all, folder)
    if (!there) return windows.open(folder)
    there.toFront()
    return there
  }
  const show = (target: Target): void => {
    if (target.kind === 'folder') return void windowFor(target.absolute)
    const { folder, ...opening } = target
    const there = holderOfFile(windows.all, target.absolute)
    const opened = there ?? (folder === null ? windows.all.find(each => each.folder !== null) : windowFor(folder))
    if (!opened) throw new BelayError('unavailable', `${target.absolute}\n${say('open.noFolder')}`)
    put(opened, opening)
  }
  const isKnown = async (target: Target): Promise<boolean> => {
    if (target.kind === 'file' && holderOfFile(windows.all, target.absolute)) return true
    const folder = target.kind === 'file' ? target.folder : target.absolute
    if (folder === null) return false
    if (holderOfFolder(windows.all, folder)) return true
    return (await options.known(null))?.folders.includes(folder) === true
  }
  const follow = async (link: Link) => {
    if (link.kind === 'session') {
      const folder = (await options.known(link.sessionId))?.folderOfSession
      if (!folder) throw new BelayError('not_found', say('link.noSession'))
      return put(windowFor(folder), { kind: 'session', sessionId: link.sessionId, toAsk: false })
    }
    const found = await findTarget(link.path, '/', 'path')
    const target = found.kind === 'file' ? { ...found, line: link.line, column: link.column } : found
    if (await isKnown(target)) show(target)
    else ask(target)
  }
  /** Not waited for: what comes meanwhile is opened. A link that would ask beside another is not followed. */
  let asking = false
  const ask = (target: Target) => {
    if (asking) return
    asking = true
    void isWanted(target)
      .then(yes => yes && show(target))
      .catch(fault => tell([toFault(fault).message]))
      .finally(() => {
        asking = false
      })
  }
  let telling = false
  const tell = (faults: readonly string[]) => {
    if (telling) return
    telling = true
    void tellOf(faults)
      .catch(() => {})
      .finally(() => {
        telling = false
      })
  }
  const openOne = async (text: string, cwd: string) => {
    if (!isLink(text)) return show(await findTarget(text, cwd))
    const read = readLink(text)
    if (!read.ok) throw new BelayError('invalid', `${say(refusals[read.reason])} ${say('link.kept')}`)
    if (!options.links()) throw new BelayError('denied', say('link.off'))
    await follow(read.link)
  }
  const openAll = async ({ asked, cwd }: Wish) => {
    const faults: string[] = []
    for (const target of asked.targets) await openOne(target, cwd).catch(fault => faults.push(toFault(fault).message))
    if (windows.all.length === 0) windows.open(null)
    if (faults.length > 0) tell(faults)
  }
  return {
    show: (folder, opening) => put(windowFor(folder), opening),
    async begin(wish) {
      // The windows of before come back around what was asked for now.
      const first = wish.asked.targets.find(each => !isLink(each))
      const target = first === undefined ? null : await findTarget(first, wish.cwd).catch(() => null)
      windows.restore(target && (target.kind === 'file' ? target.folder : target.absolute))
      void openAll(wish)
    },
    async meet(wish) {
      const { asked, cwd, start } = wish
      if (options.quitting.ending) {
        const full = (text: string) => (isLink(text) || /^(~|file:)/i.test(text) ? text : resolve(cwd, text))
        return options.quitting.startAgain({ ...asked, targets: asked.targets.map(full) })
      }
      if (asked.newWindow && asked.targets.length === 0) return void windows.open(null)
      if (start && asked.targets.length === 0) return windows.showSome()
      await openAll(wish)
    },
  }
}

/** A folder that was not opened before: the person sees where it is, and the way back has the focus. */
async function isWanted(target: Target): Promise<boolean> {
  const own = target.kind === 'file' ? target.folder : null
  const { response } = await dialog.showMessageBox({
    type: 'question',
    message: say(target.kind === 'file' ? 'link.askFile' : 'link.askFolder'),
    detail: [
      plainLine(target.absolute, MOST_PATH),
      ...(own === null ? [] : [`${say('link.with')} ${plainLine(own, MOST_PATH)}`]),
      '',
      say('link.means'),
    ].join('\n'),
    buttons: [say('link.open'), say('link.cancel')],
    defaultId: 1,
    cancelId: 1,
    noLink: true,
  })
  return response === 0
}

const SHOWN = 8
async function tellOf(faults: readonly string[]): Promise<void> {
  const said = await Promise.all(faults.slice(0, SHOWN).map(localize))
  await dialog.showMessageBox({
    type: 'warning',
    message: say('open.failed'),
    detail: said.map(fault => plainLine(fault, MOST_PATH)).join('\n\n'),
    buttons: [say('open.ok')],
    noLink: true,
  })
}
