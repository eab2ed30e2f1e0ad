/**
 * What a server would change, done: through the documents of all its files, as one step that one undo takes back. The promise:
 * texts that are not as the server saw them are left alone, all of them, and that is said.
 */
import type { editor } from 'monaco-editor/editor'
import { BelayError } from '#contract/error'
import type { EditStep, WorkspaceEdit } from '#contract/language-edit'
import { baseName, pathKey } from '#contract/path'
import { saveDocument } from '../../../client/document-pump.ts'
import { createFile, moveFiles, removeFiles } from '../../../client/file-operations.ts'
import { documentState } from '../../../state/mirror/document.ts'
import { openPaths } from '../../../state/view/editor.ts'
import { workspaceView } from '../../../state/view/workspace.ts'
import { localize, t } from '../../../ui/i18n.ts'
import { toast } from '../../../ui/index.ts'
import { editTogether } from '../../../ui/monaco/shared-step.ts'
import { holdText, type OpenEntry, textOf } from '../texts.ts'
import { toEdits } from './edits.ts'

type TextStep = Extract<EditStep, { kind: 'text' }>
type FileStep = Exclude<EditStep, TextStep>

interface Held {
  readonly step: TextStep
  readonly entry: OpenEntry
  readonly model: editor.ITextModel
  readonly edits: editor.IIdentifiedSingleEditOperation[]
  readonly clean: boolean
  readonly release: () => void
}

/** Texts of the latest edit of several files: while they are held, undo reaches them all. */
let latest: (() => void) | null = null
const letGo = () => {
  latest?.()
  latest = null
}
workspaceView.subscribe((now, before) => {
  if (now.workspace?.workspaceId !== before.workspace?.workspaceId) letGo()
})

/** False: there was nothing to do. Rejects with words; unless they say so, nothing was changed. */
export async function applyEdit({ steps }: WorkspaceEdit, label: string): Promise<boolean> {
  const runs = runsOf(steps)
  for (const run of runs) {
    if ('texts' in run) await applyTexts(run.texts, label)
    else await applyFile(run.file)
  }
  return runs.length > 0
}

type Run = { readonly texts: TextStep[] } | { readonly file: FileStep }

/** Texts that follow each other are changed together; a file that comes twice is changed twice. */
function runsOf(steps: readonly EditStep[]): Run[] {
  const runs: Run[] = []
  for (const step of steps) {
    const last = runs.at(-1)
    if (step.kind !== 'text') runs.push({ file: step })
    else if (step.edits.length === 0) continue
    else if (last && 'texts' in last && !last.texts.some(each => pathKey(each.path) === pathKey(step.path)))
      last.texts.push(step)
    else runs.push({ texts: [step] })
  }
  return runs
}

async function applyTexts(steps: readonly TextStep[], label: string): Promise<void> {
  const tabs = new Set(openPaths().map(pathKey))
  const held = await holdAll(steps)
  const several = held.length > 1
  // One text is changed as by typing; several are as saved afterwards as they were before.
  const toSave = held.filter(({ clean, step }) => clean && (several || !tabs.has(pathKey(step.path))))
  let news: string | number | null = null
  const undo = editTogether(label, held, way => {
    if (way === 'undo' && news !== null) toast.dismiss(news)
    void saveAll(toSave)
  })
  await saveAll(toSave)
  if (!several) {
    for (const { release } of held) release()
    return
  }
  letGo()
  latest = () => {
    for (const { release } of held) release()
  }
  news = toast.ok(t('editor.editedFiles', { label, count: held.length }), {
    label: t('editor.takeBack'),
    onSelect: () => undo() || toast.info(t('editor.takeBackLate')),
  })
}

async function holdAll(steps: readonly TextStep[]): Promise<Held[]> {
  const opening = await Promise.allSettled(steps.map(hold))
  const held = opening.flatMap(each => (each.status === 'fulfilled' ? [each.value] : []))
  const failed = opening.find(each => each.status === 'rejected')
  if (!failed && held.every(isAsSeen)) return held
  for (const { release } of held) release()
  if (failed) throw failed.reason
  const names = held.filter(each => !isAsSeen(each)).map(({ step }) => baseName(step.path.path))
  throw new BelayError('stale', t('editor.editStale', { names: names.join(', ') }))
}

async function hold(step: TextStep): Promise<Held> {
  const { entry, release } = await holdText(step.path)
  const state = documentState(step.path)
  if (!entry.bound || !state || state.readOnly) {
    release()
    throw new BelayError('read_only', t('editor.editReadOnly', { name: baseName(step.path.path) }))
  }
  const edits = toEdits(step.edits).map(({ range, text }) => ({ range, text, forceMoveMarkers: true }))
  return { step, entry, model: entry.bound.model, edits, clean: !state.dirty, release }
}

/** Nothing was typed, by anybody, since the server looked; on disk there is nothing else either. */
function isAsSeen({ step, entry: { session }, model, edits, clean }: Held): boolean {
  const conflict = documentState(step.path)?.conflict !== 'none'
  const same = step.version === null ? clean : session.version === step.version
  return (
    !conflict && same && !session.waiting && edits.every(({ range }) => model.validateRange(range).equalsRange(range))
  )
}

/** Those that are still open; of a closed one the undo took nothing back. */
async function saveAll(held: readonly Held[]): Promise<void> {
  const open = held.filter(({ step, entry }) => textOf(step.path)?.session === entry.session)
  const saved = await Promise.allSettled(open.map(({ entry }) => saveDocument(entry.session)))
  const faults = saved.flatMap(each =>
    each.status === 'rejected' ? [localize(String((each.reason as Error).message))] : [],
  )
  if (faults.length > 0)
    toast.error(t('editor.notAllSaved', { count: faults.length }), { detail: [...new Set(faults)].join('\n') })
}

/** Each can be undone in the explorer, as when a person does it. */
async function applyFile(step: FileStep): Promise<void> {
  try {
    if (step.kind === 'create') await createFile(step.path)
    else if (step.kind === 'rename') await moveFiles([{ from: step.from, to: step.to }])
    else await removeFiles([step.path])
  } catch (fault) {
    const { code } = fault as { code?: string }
    if (step.kind === 'delete' && code === 'not_found' && step.ignoreIfNotExists) return
    // What is there is never written over.
    if (step.kind !== 'delete' && code === 'already_exists' && step.ignoreIfExists) return
    throw fault
  }
}
