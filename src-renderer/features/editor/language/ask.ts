/**
 * One question of an editor about a text: everything typed is with the core before it is asked, cancelling goes along, and an
 * answer to another version is none. The promise: nothing is thrown into the editor.
 */
import type { CancellationToken, editor } from 'monaco-editor/editor'
import type { DocumentId, WorkspaceId } from '#contract/id'
import type { LanguageFeatures, Stale } from '#contract/language-editor'
import { workspaceView } from '../../../state/view/workspace.ts'
import { pathOfUri } from '../model-uri.ts'
import { textOf } from '../texts.ts'
import { servedNow } from './served.ts'

export interface About {
  readonly workspaceId: WorkspaceId
  readonly documentId: DocumentId
  readonly version: number
}

type Question<A extends object> = (about: About, options: { signal: AbortSignal }) => Promise<A | Stale>

export interface Asking {
  readonly model: editor.ITextModel
  readonly feature: keyof LanguageFeatures
  readonly token?: CancellationToken | undefined
  /** The text may have been typed on since: the answer still fits what stands before the place that was asked about. */
  readonly whileTyping?: boolean
}

const SETTLE_MS = 3000
/** How often a question is asked again because the text changed under it, by an agent's edit as well. */
const TRIES = 3

/** Null: there is no answer, or none that is true any more. */
export async function ask<A extends object>(asking: Asking, question: Question<A>): Promise<A | null> {
  try {
    return await askAloud(asking, question)
  } catch {
    return null
  }
}

/** For what a person asked for: rejects with the core's words. */
export async function askAloud<A extends object>(
  { model, feature, token, whileTyping = false }: Asking,
  question: Question<A>,
): Promise<A | null> {
  const path = pathOfUri(model.uri)
  const { workspace } = workspaceView.getState()
  if (!path || !workspace || !servedNow(path)?.features[feature]) return null
  const controller = new AbortController()
  const listening = token?.onCancellationRequested(() => controller.abort())
  const before = model.getVersionId()
  const isOver = () =>
    token?.isCancellationRequested === true || model.isDisposed() || (!whileTyping && model.getVersionId() !== before)
  try {
    for (let tries = 0; tries < TRIES; tries++) {
      const session = textOf(path)?.session
      await session?.settled(SETTLE_MS)
      if (!session || isOver()) return null
      const about = { workspaceId: workspace.workspaceId, documentId: session.documentId, version: session.version }
      const answer = await question(about, { signal: controller.signal })
      if (isOver()) return null
      if (!isStale(answer)) return answer
    }
    return null
  } finally {
    listening?.dispose()
  }
}

const isStale = (answer: object): answer is Stale => 'stale' in answer
