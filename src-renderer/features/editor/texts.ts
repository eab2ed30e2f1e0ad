/** The texts that tabs show: each opened once, bound to one model, kept while any tab has it, and closed after the last. */
import { create } from 'zustand'
import { BelayError, type Fault, toFault } from '#contract/error'
import { type AnyPath, baseName, pathKey, samePath } from '#contract/path'
import { closeDocument, type DocumentSession, openDocument } from '../../client/document-pump.ts'
import { belay, useConnection } from '../../client/index.ts'
import { documentState } from '../../state/mirror/document.ts'
import { changeGroups, editorGroups, openPaths } from '../../state/view/editor.ts'
import { fileTab, openTab, pin } from '../../state/view/editor-tabs.ts'
import { workspaceView } from '../../state/view/workspace.ts'
import { t } from '../../ui/i18n.ts'
import { loadMonaco } from '../../ui/monaco/index.ts'
import { typedIn } from './auto-save.ts'
import { type BoundModel, bindModel } from './bind-model.ts'
import { languageFor } from './language.ts'

export type TextEntry =
  | { readonly status: 'opening' }
  /** `bound` is null for a file that is only shown in slices. */
  | {
      readonly status: 'open'
      readonly session: DocumentSession
      readonly bound: BoundModel | null
      readonly text: string
    }
  | { readonly status: 'failed'; readonly fault: Fault }
export type OpenEntry = Extract<TextEntry, { status: 'open' }>

const texts = create<{ readonly entries: Readonly<Record<string, TextEntry>> }>(() => ({ entries: {} }))

export const useText = (path: AnyPath | null): TextEntry | undefined =>
  texts(state => (path ? state.entries[pathKey(path)] : undefined))
export const textOf = (path: AnyPath): OpenEntry | null => {
  const entry = texts.getState().entries[pathKey(path)]
  return entry?.status === 'open' ? entry : null
}
export const fileName = (path: AnyPath): string =>
  'uri' in path ? decodeURIComponent(baseName(path.uri).replace(/^untitled:/, '')) : baseName(path.path)

/** Of a place outside the roots, for showing. */
export const shownUri = (uri: string): string => decodeURIComponent(uri.replace(/^(file:\/\/|untitled:)/, ''))

const set = (key: string, entry: TextEntry) =>
  texts.setState(({ entries }) => ({ entries: { ...entries, [key]: entry } }))

/** Opens it unless that is under way. Tabs of another workspace, still there for a moment, are left alone. */
export function ensureText(path: AnyPath): void {
  const { workspace } = workspaceView.getState()
  const key = pathKey(path)
  const known = texts.getState().entries[key]
  const ours = workspace && ('uri' in path || workspace.roots.some(root => root.rootId === path.rootId))
  if (!ours || (known && known.status !== 'failed')) return
  const opening: TextEntry = { status: 'opening' }
  set(key, opening)
  const wanted = () => texts.getState().entries[key] === opening
  Promise.all([openDocument(workspace.workspaceId, path), loadMonaco()]).then(
    ([session, monaco]) => {
      if (!wanted()) return void closeDocument(session)
      const slices = documentState(path)?.size === 'slices'
      const large = documentState(path)?.size !== 'full'
      const language = large ? 'plaintext' : languageFor(monaco, path, fileName(path))
      const bound = slices ? null : bindModel(monaco, session, language)
      bound?.onTyped(() => {
        changeGroups(all => pin(all, fileTab(path).id))
        typedIn(path)
      })
      set(key, { status: 'open', session, bound, text: session.text })
    },
    thrown => {
      if (wanted()) set(key, { status: 'failed', fault: toFault(thrown) })
    },
  )
}

function drop(key: string): void {
  const entry = texts.getState().entries[key]
  texts.setState(({ entries: { [key]: _, ...entries } }) => ({ entries }))
  if (entry?.status !== 'open') return
  // After React took it out of its editors.
  setTimeout(() => entry.bound?.dispose())
  void closeDocument(entry.session)
}

/** Texts that something else than a tab needs, and how many do. */
const held = new Map<string, number>()

/** A text without a tab, such as what a peek shows. Rejects with words where it cannot be opened. Each call needs one `release`. */
export async function holdText(path: AnyPath): Promise<{ entry: OpenEntry; release: () => void }> {
  const key = pathKey(path)
  held.set(key, (held.get(key) ?? 0) + 1)
  const release = once(() => {
    const left = (held.get(key) ?? 1) - 1
    if (left > 0) held.set(key, left)
    else held.delete(key)
    // What was typed there is not out of sight.
    const shown = openPaths().some(each => samePath(each, path))
    if (left === 0 && !shown && documentState(path)?.dirty) changeGroups(all => openTab(all, fileTab(path)))
    sweep()
  })
  ensureText(path)
  try {
    return { entry: await opened(key), release }
  } catch (fault) {
    release()
    throw fault
  }
}

const once = (work: () => void): (() => void) => {
  let done = false
  return () => {
    if (done) return
    done = true
    work()
  }
}

/** Once it is no longer on its way. */
function opened(key: string): Promise<OpenEntry> {
  return new Promise((resolve, reject) => {
    const look = (): boolean => {
      const entry = texts.getState().entries[key]
      if (entry?.status === 'opening') return false
      if (entry?.status === 'open') resolve(entry)
      else reject(entry?.fault ?? new BelayError('not_found', t('editor.noText')))
      return true
    }
    if (look()) return
    const end = texts.subscribe(() => look() && end())
  })
}

/** Hears of every text that is opened or closed. */
export const onTexts = (listener: () => void): (() => void) => texts.subscribe(listener)
export const openTexts = (): OpenEntry[] =>
  Object.values(texts.getState().entries).flatMap(entry => (entry.status === 'open' ? [entry] : []))

function sweep(): void {
  const open = new Set([...openPaths().map(pathKey), ...held.keys()])
  for (const key of Object.keys(texts.getState().entries)) if (!open.has(key)) drop(key)
}
editorGroups.subscribe(sweep)

/** What failed for a reason that has gone is opened again: the core is back, the file is there now. */
function retry(mends: (key: string, fault: Fault) => boolean): void {
  const { entries } = texts.getState()
  for (const path of openPaths()) {
    const entry = entries[pathKey(path)]
    if (entry?.status === 'failed' && mends(pathKey(path), entry.fault)) ensureText(path)
  }
}
useConnection.subscribe((now, before) => {
  if (now.sidecar === 'ready' && before.sidecar !== 'ready')
    retry((_, { code }) => code === 'disconnected' || code === 'timeout')
})
workspaceView.subscribe(() => retry((_, { code }) => code !== 'binary'))
belay.on('workspace/changed', ({ changes }) => {
  const changed = new Set(changes.map(change => pathKey(change.path)))
  retry((key, { code }) => code === 'not_found' && changed.has(key))
})
