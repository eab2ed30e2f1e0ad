/** What servers find wrong, as marks in the text: each where it was found, in the version that it was found in. Later typing moves it along. */
import type { editor } from 'monaco-editor/editor'
import type { FileProblems, Problem } from '#contract/language-problems'
import { pathKey } from '#contract/path'
import { documentState, useDocuments } from '../../../state/mirror/document.ts'
import { problemMirror } from '../../../state/mirror/problem.ts'
import type { Monaco } from '../../../ui/monaco/index.ts'
import { modelUri } from '../model-uri.ts'
import { type OpenEntry, onTexts, openTexts } from '../texts.ts'
import { toRange } from './position.ts'

/** For the life of the page. */
export function keepMarked(monaco: Monaco): void {
  /** What is marked, by model: the entry of each server. */
  const marked = new WeakMap<editor.ITextModel, Map<string, FileProblems>>()
  const look = () => {
    const told = byFile(problemMirror.getState().entries)
    for (const text of openTexts()) if (text.bound) mark(text, text.bound.model, told)
  }
  const mark = (text: OpenEntry, model: editor.ITextModel, told: ReadonlyMap<string, readonly FileProblems[]>) => {
    const known = marked.get(model) ?? new Map<string, FileProblems>()
    marked.set(model, known)
    const entries = told.get(pathKey(text.session.path)) ?? []
    for (const entry of entries) {
      if (known.get(entry.serverId) === entry || !isOf(text, entry)) continue
      known.set(entry.serverId, entry)
      const markers = entry.problems.map(each => toMarker(monaco, each))
      monaco.editor.setModelMarkers(model, entry.serverId, markers)
    }
    for (const serverId of [...known.keys()].filter(id => !entries.some(entry => entry.serverId === id))) {
      known.delete(serverId)
      monaco.editor.setModelMarkers(model, serverId, [])
    }
  }
  problemMirror.subscribe(look)
  onTexts(look)
  // What was typed has arrived: an answer to it counts now.
  useDocuments.subscribe(look)
  look()
}

type Entries = ReturnType<typeof problemMirror.getState>['entries']
let sorted: { readonly entries: Entries; readonly files: ReadonlyMap<string, FileProblems[]> } | null = null

/** Looked through once for each change: every key that is typed comes by here. */
function byFile(entries: Entries): ReadonlyMap<string, readonly FileProblems[]> {
  if (sorted !== null && sorted.entries === entries) return sorted.files
  const files = new Map<string, FileProblems[]>()
  for (const entry of entries.values()) {
    const key = pathKey(entry.path)
    const list = files.get(key)
    if (list) list.push(entry)
    else files.set(key, [entry])
  }
  sorted = { entries, files }
  return files
}

/** Of the text as it stands, with nothing on its way. */
function isOf({ session }: OpenEntry, { of }: FileProblems): boolean {
  if (session.waiting) return false
  if (of) return of.documentId === session.documentId && of.version === session.version
  return documentState(session.path)?.dirty === false
}

function toMarker(
  { MarkerSeverity, MarkerTag, Uri }: Monaco,
  { range, severity, message, source, code, codeUrl, tags, related }: Problem,
): editor.IMarkerData {
  const severities = {
    error: MarkerSeverity.Error,
    warning: MarkerSeverity.Warning,
    info: MarkerSeverity.Info,
    hint: MarkerSeverity.Hint,
  }
  const marks = { unnecessary: MarkerTag.Unnecessary, deprecated: MarkerTag.Deprecated }
  return {
    ...toRange(range),
    severity: severities[severity],
    message,
    source,
    tags: tags.map(tag => marks[tag]),
    relatedInformation: related.map(each => ({
      ...toRange(each.range),
      resource: modelUri(Uri, each.path),
      message: each.message,
    })),
    ...(code === null ? {} : { code: codeUrl === null ? code : { value: code, target: Uri.parse(codeUrl) } }),
  }
}
