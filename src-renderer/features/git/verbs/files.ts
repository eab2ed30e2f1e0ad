/** Files into the index, out of it, and back to what they were: discarding asks, says what goes, and offers Undo. */
import type { WirePath } from '#contract/path'
import { settleDocuments } from '../../../client/document-pump.ts'
import { belay } from '../../../client/index.ts'
import { t } from '../../../ui/i18n.ts'
import { toast } from '../../../ui/index.ts'
import { visibleLine } from '../../../ui/visible.ts'
import { attempt, told } from '../attempt.ts'
import type { Change } from '../changes/rows.ts'
import { news } from '../news.ts'
import { confirmed } from '../questions.ts'
import { type Here, here, statusNow } from '../repository.ts'

/** The wire's bound for one request. */
const MOST_PATHS = 5000
const EVERYTHING = ['']

/** Old names too: a rename is taken back or taken in as a whole. */
const pathsOf = (changes: readonly Change[]): string[] => [
  ...new Set(changes.flatMap(({ path, from }) => (from ? [path.path, from] : [path.path]))),
]

async function inPages(paths: readonly string[], work: (page: string[]) => Promise<boolean>): Promise<boolean> {
  for (let at = 0; at < paths.length; at += MOST_PATHS)
    if (!(await work(paths.slice(at, at + MOST_PATHS)))) return false
  return true
}

const stagePaths = (at: Here, paths: readonly string[]) =>
  inPages(paths, async page => {
    // What is staged is what the disk has; what was typed a moment ago and saved is on its way there.
    await settleDocuments()
    const call = () => belay.git.stage({ ...at, paths: page })
    return (await attempt({ name: 'stage', rootId: at.rootId, call })) !== null
  })

const unstagePaths = (at: Here, paths: readonly string[]) =>
  inPages(
    paths,
    async page =>
      (await attempt({
        name: 'unstage',
        rootId: at.rootId,
        call: () => belay.git.unstage({ ...at, paths: page }),
      })) !== null,
  )

export const stage = (changes: readonly Change[]) =>
  stagePaths(here(), pathsOf(changes.filter(({ group }) => group !== 'staged')))
export const unstage = (changes: readonly Change[]) =>
  unstagePaths(here(), pathsOf(changes.filter(({ group }) => group === 'staged')))
export const stageAll = () => stagePaths(here(), EVERYTHING)
export const unstageAll = () => unstagePaths(here(), EVERYTHING)

export async function discard(changes: readonly Change[]): Promise<void> {
  const mine = changes.filter(({ group }) => group === 'changes' || group === 'untracked')
  if (mine.length === 0) return
  const untracked = mine.filter(({ group }) => group === 'untracked').length
  const names = mine.map(({ path }) => visibleLine(path.path))
  const sure = await confirmed({
    title: t('source.discardAsk', { count: mine.length, name: names[0] ?? '' }),
    body: [
      t('source.discardMeans'),
      untracked > 0 ? t('source.discardUntracked', { count: untracked }) : '',
      t('source.discardUndo'),
    ]
      .filter(Boolean)
      .join(' '),
    confirm: t('source.discard'),
    danger: true,
    names: names.length > 1 ? names : [],
  })
  if (sure) await discardPaths(mine.map(({ path }) => path))
}

export async function discardAll(): Promise<void> {
  const { counts } = statusNow()
  const count = counts.unstaged + counts.untracked
  if (count === 0) return void toast.info(t('source.nothingToDiscard'))
  const sure = await confirmed({
    title: t('source.discardAllAsk', { count }),
    body: [
      t('source.discardMeans'),
      counts.untracked > 0 ? t('source.discardUntracked', { count: counts.untracked }) : '',
      t('source.discardUndo'),
    ]
      .filter(Boolean)
      .join(' '),
    confirm: t('source.discardAll'),
    danger: true,
  })
  const at = here()
  if (sure) await discardPaths([{ rootId: at.rootId, path: '' }])
}

async function discardPaths(paths: readonly WirePath[]): Promise<void> {
  const at = here()
  const undoIds: string[] = []
  await inPages(
    paths.map(({ path }) => path),
    async page => {
      const done = await attempt({
        name: 'discard',
        rootId: at.rootId,
        call: () => belay.git.discard({ ...at, paths: page }),
      })
      if (done) undoIds.push(done.undoId)
      return done !== null
    },
  )
  offerBack(at, undoIds, paths.length)
}

/** Undo stands in the toast; the latest can also be had back by its command. */
let latest: { readonly at: Here; readonly undoIds: readonly string[] } | null = null

export function offerBack(at: Here, undoIds: readonly string[], count: number): void {
  if (undoIds.length === 0) return
  canBringBack(at, undoIds)
  news(t('source.discarded', { count }), { label: t('source.undo'), onSelect: () => told(bringBack(at, undoIds)) })
}

/** By the command; answers what it was given. */
export function canBringBack(at: Here, undoIds: readonly string[]): readonly string[] {
  latest = { at, undoIds }
  return undoIds
}

export async function undoDiscard(): Promise<void> {
  if (!latest) return void toast.info(t('source.nothingToUndo'))
  await bringBack(latest.at, latest.undoIds)
}

export async function bringBack(at: Here, undoIds: readonly string[]): Promise<void> {
  latest = null
  for (const undoId of [...undoIds].reverse()) {
    const call = () => belay.git.undoDiscard({ ...at, undoId })
    if (!(await attempt({ name: 'undoDiscard', rootId: at.rootId, call }))) return
  }
  news(t('source.broughtBack'))
}
