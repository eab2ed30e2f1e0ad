/** What names a moved file by its place is changed with it: asked for before the move, shown to the person, done behind it. */
import { toFault } from '#contract/error'
import type { FollowingText } from '#contract/language-edit'
import type { Move, WirePath } from '#contract/path'
import type { ReplaceDone } from '#contract/workspace'
import { settleDocuments } from '../../client/document-pump.ts'
import { belay } from '../../client/index.ts'
import { settingNow } from '../../state/mirror/settings.ts'
import { workspaceView } from '../../state/view/workspace.ts'
import { localize, t } from '../../ui/i18n.ts'
import { toast } from '../../ui/index.ts'
import { explorerState } from './explorer-state.ts'

const SILENT_MS = 500

/** Where it is after these moves; null: none of them is about it. */
export function placeAfter(moves: readonly Move[], path: WirePath): WirePath | null {
  for (const { from, to } of moves) {
    if (from.rootId !== path.rootId) continue
    if (path.path === from.path) return to
    if (path.path.startsWith(`${from.path}/`)) return { ...to, path: to.path + path.path.slice(from.path.length) }
  }
  return null
}

/** What to change behind the move, which is as the person wants it; null: they do not want the move either. Never rejects. */
export async function whatFollows(moves: readonly Move[]): Promise<readonly FollowingText[] | null> {
  const { workspace } = workspaceView.getState()
  const wish = settingNow('files.updateImports')
  if (!workspace || wish === 'never') return []
  const { texts, note } = await whileSaid(asked(workspace.workspaceId, moves))
  if (note !== null) toast.info(localize(note))
  if (texts.length === 0 || wish === 'always') return texts
  return new Promise(resolve => {
    const decide = (follows: readonly FollowingText[] | null) => {
      explorerState.setState({ following: null })
      resolve(follows)
    }
    explorerState.getState().following?.decide(null)
    explorerState.setState({ following: { texts, decide } })
  })
}

async function asked(
  workspaceId: Parameters<typeof belay.language.willMove>[0]['workspaceId'],
  moves: readonly Move[],
) {
  try {
    // What is typed in unsaved texts counts.
    await settleDocuments()
    return await belay.language.willMove({ workspaceId, moves: [...moves] })
  } catch (thrown) {
    return { texts: [], note: toFault(thrown).message }
  }
}

/** A server that is only starting takes its time. */
async function whileSaid<T>(work: Promise<T>): Promise<T> {
  let said: string | number | null = null
  const timer = setTimeout(() => {
    said = toast.info(t('explorer.follow.looking'))
  }, SILENT_MS)
  try {
    return await work
  } finally {
    clearTimeout(timer)
    if (said !== null) toast.dismiss(said)
  }
}

/** Changes them; null where nothing was. What was left alone is told. Never rejects: the files are moved by now. */
export async function follow(moves: readonly Move[], texts: readonly FollowingText[]): Promise<ReplaceDone | null> {
  const { workspace } = workspaceView.getState()
  if (!workspace || texts.length === 0) return null
  const files = texts.map(({ path, places }) => ({
    path: placeAfter(moves, path) ?? path,
    places: places.map(({ from, was, text }) => ({ from, was, text })),
  }))
  try {
    return told(await belay.workspace.edit({ workspaceId: workspace.workspaceId, files }))
  } catch (thrown) {
    toast.error(t('explorer.follow.skipped', { count: files.length }), { detail: localize(toFault(thrown).message) })
    return null
  }
}

/** Takes it back, or does it again: what is answered turns that round. */
export async function turnFollowing(undoId: string): Promise<string | null> {
  const { workspace } = workspaceView.getState()
  if (!workspace) return null
  return told(await belay.workspace.undoReplace({ workspaceId: workspace.workspaceId, undoId })).undoId
}

function told(done: ReplaceDone): ReplaceDone {
  const { skipped } = done
  const detail = skipped.map(({ message }) => localize(message)).join('\n')
  if (skipped.length > 0) toast.error(t('explorer.follow.skipped', { count: skipped.length }), { detail })
  return done
}
