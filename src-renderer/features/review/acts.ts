/** What a person decides: asked of the core, told with the way back. What was left alone is named. */
import { BelayError } from '#contract/error'
import type { WorkspaceId } from '#contract/id'
import { type AnyPath, pathKey, type WirePath } from '#contract/path'
import type { ReviewChoice, ReviewScope } from '#contract/review'
import { settleDocuments } from '../../client/document-pump.ts'
import { belay } from '../../client/index.ts'
import { workspaceView } from '../../state/view/workspace.ts'
import { t } from '../../ui/i18n.ts'
import { toast } from '../../ui/index.ts'
import { filesNow, frontPage, openFile, reviewView, scopeOf } from './review-state.ts'

type Acted = Awaited<ReturnType<typeof belay.review.accept>>

export function workspaceNow(): WorkspaceId {
  const { workspace } = workspaceView.getState()
  if (!workspace) throw new BelayError('not_found', t('review.noFolder'))
  return workspace.workspaceId
}

/** The scope in front: of the page, else of the list. */
export function scopeNow(): ReviewScope {
  const scope = frontPage()?.argument.scope ?? scopeOf(reviewView.get().kind)
  if (!scope) throw new BelayError('not_found', t('review.noSession'))
  return scope
}

/** Null: everything in the scope. Single hunks are told by what one sees; the rest gets a word and a way back. */
export async function decide(
  what: 'accept' | 'revert',
  scope: ReviewScope,
  choices: ReviewChoice[] | null,
): Promise<void> {
  await settleDocuments()
  const acted = await belay.review[what]({ workspaceId: workspaceNow(), scope, choices })
  tellLeft(acted)
  const small = choices?.every(choice => choice.hunks !== null) ?? false
  if (acted.reviewId === null || small) return
  const { reviewId } = acted
  toast.ok(t(`review.done.${what}`, { count: acted.files }), {
    label: t('review.undo'),
    onSelect: () => void undo(scope, reviewId).catch(showFault),
  })
}

export async function undo(scope: ReviewScope, reviewId?: NonNullable<Acted['reviewId']>): Promise<void> {
  const acted = await belay.review.undo({ workspaceId: workspaceNow(), scope, ...(reviewId ? { reviewId } : {}) })
  tellLeft(acted)
  if (acted.reviewId === null && acted.left.length === 0) toast.info(t('review.nothingToUndo'))
}

const showFault = (thrown: unknown) => toast.error(t('review.undo'), { detail: (thrown as Error).message })

function tellLeft({ left }: Acted): void {
  if (left.length === 0) return
  const lines = left.map(({ path, message }) => `${path.path}: ${message}`)
  toast.error(t('review.left', { count: left.length }), { detail: lines.join('\n'), id: 'review.left' })
}

/** A whole file, the one in front without a path. */
export async function decideFile(what: 'accept' | 'revert', path?: AnyPath): Promise<void> {
  const scope = scopeNow()
  const front = frontPage()?.argument.path
  const file = filesNow(scope).find(each => pathKey(each.path) === pathKey(path ?? front ?? each.path))
  if (!file || (!path && !front)) return void toast.info(t('review.noFile'))
  await decide(what, scope, [{ path: file.path, hunks: null }])
}

/** The file `by` places further in the list, round its end; from the first where none is in front. */
export function stepFile(by: 1 | -1, focus = true): void {
  const scope = scopeNow()
  const files = filesNow(scope)
  const next = neighbour(
    files.map(file => file.path),
    frontPage()?.argument.path ?? null,
    by,
  )
  if (next) openFile({ scope, path: next }, focus)
}

/** Where `from` is not among them (it was decided on), the one that stands where it stood. */
export function neighbour(paths: readonly WirePath[], from: WirePath | null, by: 1 | -1): WirePath | undefined {
  if (paths.length === 0) return undefined
  const key = from ? pathKey(from) : ''
  const at = paths.findIndex(path => pathKey(path) === key)
  if (at >= 0) return paths[(at + by + paths.length) % paths.length]
  const after = paths.findIndex(path => pathKey(path) > key)
  if (by === 1) return paths[Math.max(after, 0)]
  return paths[after < 0 ? paths.length - 1 : (after - 1 + paths.length) % paths.length]
}
