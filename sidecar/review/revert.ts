/** Taken back: the base is written where the chosen lines stand. In bulk, only where the agent alone wrote. */
import { BelayError, toFault } from '#contract/error'
import type { WirePath } from '#contract/path'
import type { ReviewChoice } from '#contract/review'
import type { ReviewWrite } from '#contract/session-event'
import type { Workspace } from '../workspace/service.ts'
import { CHANGED, chosenIn, type Left } from './choose.ts'
import { type Keeper, keep } from './keep.ts'
import type { View } from './view.ts'
import { bitsOf, putBack, remove, toBase, toLines } from './write-back.ts'

const MIXED = 'Others wrote here too, so it was left as it is. Look at it and decide hunk by hunk.'

export interface Reverting {
  readonly workspace: Workspace
  readonly keeper: Keeper
  view(path: WirePath): Promise<View | null>
}

/** One after the other; what cannot be done is named, the rest is done. */
export async function revertEach(
  reverting: Reverting,
  choices: readonly ReviewChoice[],
): Promise<{ files: ReviewWrite[]; left: Left[] }> {
  const files: ReviewWrite[] = []
  const left: Left[] = []
  for (const choice of choices) {
    try {
      files.push(...(await revertOne(reverting, choice, message => left.push({ path: choice.path, message }))))
    } catch (thrown) {
      left.push({ path: choice.path, message: toFault(thrown).message })
    }
  }
  return { files, left }
}

async function revertOne(
  { workspace, keeper, view: viewOf }: Reverting,
  choice: ReviewChoice,
  leave: (message: string) => void,
): Promise<ReviewWrite[]> {
  const { path } = choice
  const view = await viewOf(path)
  const chosen = view && chosenIn(view, choice)
  if (!view || !chosen) {
    leave(CHANGED)
    return []
  }
  const { base, now } = view.track
  const bulk = choice.hunks === null
  const mine = bulk ? chosen.filter(hunk => alone(hunk.by)) : chosen
  const asWhole = view.hunks.length === 0 && alone(view.file.by)
  if (bulk && (view.hunks.some(hunk => hunk.by === 'mixed') || (mine.length === 0 && !asWhole))) leave(MIXED)
  if (mine.length === 0 && !asWhole) return []
  const whole = mine.length === view.hunks.length
  const { from } = view.file
  if (whole && from) return renamedBack(workspace, keeper, path, from, view)
  const beforeBlob = await keep(keeper, now)
  const back = await (whole ? toBase(view, workspace, path) : toLines(view, mine, workspace, path))
  const inLines = base.hash !== null && now.hash !== null && mine.length > 0
  const lines = inLines ? mine.map(hunk => hunk.now) : null
  const afterBlob = await keep(keeper, back)
  const facts = { ...bitsOf(now, back), ...(now.kind === 'link' ? { link: true as const } : {}) }
  return [{ path, before: now.hash, beforeBlob, after: back.hash, afterBlob, lines, ...facts }]
}

/** Under its old name as it was there; what stands under the new one goes. */
async function renamedBack(
  workspace: Workspace,
  keeper: Keeper,
  path: WirePath,
  from: WirePath,
  { track: { base, now } }: View,
): Promise<ReviewWrite[]> {
  const bytes = await base.bytes?.()
  if (!bytes)
    throw new BelayError('unsupported', 'What stood there before is not kept: it was too large. Nothing was done.')
  const back = await putBack(workspace, from, null, { kind: base.kind, mode: base.mode, bytes })
  const afterBlob = await keep(keeper, back)
  const beforeBlob = await keep(keeper, now)
  await remove(workspace, path, now.hash)
  return [
    { path: from, before: null, beforeBlob: null, after: back.hash, afterBlob, lines: null },
    { path, before: now.hash, beforeBlob, after: null, afterBlob: null, lines: null },
  ]
}

const alone = (by: View['file']['by']): boolean => by === 'agent' || by === 'unknown'
