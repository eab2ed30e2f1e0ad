/** Keeps `served.ts` true for every text that was shown, until it is closed. */
import { type AnyPath, pathKey } from '#contract/path'
import { belay, useConnection } from '../../../client/index.ts'
import { documentState } from '../../../state/mirror/document.ts'
import { workspaceView } from '../../../state/view/workspace.ts'
import { onTexts, textOf } from '../texts.ts'
import { servedTexts } from './served.ts'

interface Followed {
  readonly path: AnyPath
  asking: AbortController | null
}

const followed = new Map<string, Followed>()
let started = false

/** Large texts and endless lines have no semantics: nothing is asked about them. */
export function followServersOf(path: AnyPath): void {
  start()
  const key = pathKey(path)
  const entry = textOf(path)
  if (followed.has(key) || !entry?.bound || entry.bound.endless || documentState(path)?.size !== 'full') return
  const each: Followed = { path, asking: null }
  followed.set(key, each)
  void ask(each)
}

function start(): void {
  if (started) return
  started = true
  onTexts(forgetClosed)
  belay.on('language/featuresChanged', ({ workspaceId }) => {
    if (workspaceId === workspaceView.getState().workspace?.workspaceId) askAll()
  })
  useConnection.subscribe((now, before) => {
    if (now.sidecar === 'ready' && before.sidecar !== 'ready') askAll()
  })
  // Trust, which servers wait for, changes the workspace.
  workspaceView.subscribe(askAll)
}

function askAll(): void {
  for (const each of followed.values()) void ask(each)
}

async function ask(each: Followed): Promise<void> {
  const entry = textOf(each.path)
  const { workspace } = workspaceView.getState()
  if (!entry || !workspace) return
  each.asking?.abort()
  const asking = new AbortController()
  each.asking = asking
  const { documentId } = entry.session
  try {
    const answer = await belay.language.features(
      { workspaceId: workspace.workspaceId, documentId },
      { signal: asking.signal },
    )
    if (each.asking === asking && followed.get(pathKey(each.path)) === each)
      servedTexts.setState(({ byPath }) => ({ byPath: { ...byPath, [pathKey(each.path)]: answer } }))
  } catch {
    // The core is away, or the text is being opened anew: asked again with the next connection or change.
  }
}

function forgetClosed(): void {
  const closed = [...followed].filter(([, { path }]) => !textOf(path))
  if (closed.length === 0) return
  for (const [key, { asking }] of closed) {
    asking?.abort()
    followed.delete(key)
  }
  const gone = new Set(closed.map(([key]) => key))
  servedTexts.setState(({ byPath }) => ({
    byPath: Object.fromEntries(Object.entries(byPath).filter(([key]) => !gone.has(key))),
  }))
}
