/** What was done to files and can be undone, and what was undone and can be done again. Told in one line, the latest alone. */
import { toFault } from '#contract/error'
import { undoFiles } from '../../client/file-operations.ts'
import { t } from '../../ui/i18n.ts'
import { type ToastAction, toast } from '../../ui/index.ts'
import { turnFollowing } from './explorer-follow.ts'
import { explorerState } from './explorer-state.ts'

const MOST_UNDOS = 100

interface Undoable {
  readonly undoId: string
  /** What was changed behind it, which is turned round with it. */
  readonly following?: string | null
  /** What follows in the window when it was taken back, or done again. */
  readonly andThen?: ((undone: boolean) => void) | undefined
}
/** Both with the latest last. */
let undos: Undoable[] = []
let redos: Undoable[] = []
explorerState.subscribe((now, before) => {
  if (now.opened !== before.opened) [undos, redos] = [[], []]
})

/** What is under way. An undo waits for it: it takes back what was done last, and not what was done before that. */
let underWay: Promise<unknown> = Promise.resolve()

export function operate<T>(work: Promise<T>): Promise<T> {
  underWay = Promise.allSettled([underWay, work])
  return work
}

/** Tells what was done and how to take it back. */
export function done(undoId: string, text: string, more: Omit<Undoable, 'undoId'> = {}): void {
  const one: Undoable = { undoId, ...more }
  undos = [...undos, one].slice(-MOST_UNDOS)
  redos = []
  tell(text, { label: t('explorer.undo'), onSelect: () => void takeBack(one).catch(showFault) })
}

let told: string | number | null = null
/** A pile of old ones helps nobody. */
function tell(text: string, action?: ToastAction): void {
  if (told !== null) toast.dismiss(told)
  told = toast.ok(text, action)
}

/** The latest operation. Rejects (`stale`) where undoing would lose something newer. */
export async function undo(): Promise<void> {
  await underWay
  const last = undos.at(-1)
  if (last) await takeBack(last)
  else toast.info(t('explorer.nothingToUndo'))
}

/** What was undone last. */
export async function redo(): Promise<void> {
  await underWay
  const last = redos.at(-1)
  if (last) await doAgain(last)
  else toast.info(t('explorer.nothingToRedo'))
}

/** A move is taken back also where its texts are too far on. */
async function turn(following: Undoable['following']): Promise<string | null> {
  if (!following) return null
  return operate(turnFollowing(following)).catch(fault => {
    showFault(fault)
    return null
  })
}

async function takeBack(one: Undoable): Promise<void> {
  undos = undos.filter(each => each !== one)
  // The texts first: they are where the files are now.
  const following = await turn(one.following)
  const { redoId } = await operate(undoFiles(one.undoId)).catch(async fault => {
    await turn(following)
    throw fault
  })
  one.andThen?.(true)
  if (redoId === null) return tell(t('explorer.undone'))
  const again: Undoable = { undoId: redoId, following, andThen: one.andThen }
  redos = [...redos, again]
  tell(t('explorer.undone'), { label: t('explorer.redo'), onSelect: () => void doAgain(again).catch(showFault) })
}

async function doAgain(one: Undoable): Promise<void> {
  redos = redos.filter(each => each !== one)
  const { redoId } = await operate(undoFiles(one.undoId))
  one.andThen?.(false)
  const following = await turn(one.following)
  if (redoId === null) return tell(t('explorer.redone'))
  const back: Undoable = { undoId: redoId, following, andThen: one.andThen }
  undos = [...undos, back].slice(-MOST_UNDOS)
  tell(t('explorer.redone'), { label: t('explorer.undo'), onSelect: () => void takeBack(back).catch(showFault) })
}

export function showFault(thrown: unknown): void {
  const { code, message } = toFault(thrown)
  if (code !== 'cancelled') toast.error(message)
}
