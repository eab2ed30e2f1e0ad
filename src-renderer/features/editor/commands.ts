/** What the editor answers to. */
import { type AnyPath, pathKey, untitledPath } from '#contract/path'
import { settleDocuments } from '../../client/document-pump.ts'
import { belay } from '../../client/index.ts'
import { saveSetting } from '../../client/settings-pump.ts'
import { useDocuments } from '../../state/mirror/document.ts'
import { settingNow } from '../../state/mirror/settings.ts'
import { askReveal, changeGroups, currentPath, currentTab, editorGroups, openPaths } from '../../state/view/editor.ts'
import { travel } from '../../state/view/editor-history.ts'
import {
  activate,
  fileTab,
  focusedGroup,
  markdownTab,
  neighbour,
  openBeside,
  openTab,
  split,
} from '../../state/view/editor-tabs.ts'
import { asInnermost, workspaceView } from '../../state/view/workspace.ts'
import { t } from '../../ui/i18n.ts'
import { toast } from '../../ui/index.ts'
import type { CommandHandlers } from '../feature.ts'
import { closeAsking, reopenClosed } from './closing.ts'
import {
  compareFiles,
  compareWithClipboard,
  compareWithSaved,
  compareWithSelected,
  selectForCompare,
} from './compare.ts'
import { askSlices, focusedEditor, focusedSlices, runInEditor, wishFocus } from './focus.ts'
import { isMarkdown } from './kinds.ts'
import { languageList } from './language.ts'
import { openDiff } from './open-diff.ts'
import { saveAsWish } from './save-as.ts'
import { revertFile, saveFile } from './saving.ts'
import { ensureText } from './texts.ts'

interface OpenWish {
  readonly path: AnyPath
  readonly line?: number
  readonly column?: number
  readonly preview?: boolean
  readonly side?: boolean
  readonly focus?: boolean
}

/** A preview leaves the focus where it is unless asked: one walks through a list with it. */
function open({ path: wished, line, column, preview = false, side = false, focus = !preview }: OpenWish): void {
  // One file, one tab, by whichever of the folders that hold it it was reached.
  const path = asInnermost(workspaceView.getState().workspace, wished)
  const tab = fileTab(path, preview)
  ensureText(path)
  if (line !== undefined) askReveal(path, line, column ?? 1)
  changeGroups(all => (side ? openBeside(all, tab) : openTab(all, tab)))
  if (focus) wishFocus(tab.id)
}

function go(step: 1 | -1): void {
  const place = travel(step)
  if (place) open(place)
}

async function saveAll(): Promise<void> {
  const { workspace } = workspaceView.getState()
  if (!workspace) return
  await settleDocuments()
  const { failed } = await belay.document.saveAll({ workspaceId: workspace.workspaceId })
  if (failed.length > 0)
    toast.error(t('editor.notAllSaved', { count: failed.length }), {
      detail: failed.map(({ message }) => message).join('\n'),
    })
}

function goToLine(place: { line: number; column?: number } | undefined): void {
  const parts = focusedSlices()
  if (parts) {
    if (place) parts.goToLine(place.line)
    else askSlices('line')
    return
  }
  if (!place) {
    runInEditor('editor.action.gotoLine')
    return
  }
  const shown = focusedEditor()
  const position = { lineNumber: place.line, column: place.column ?? 1 }
  shown?.setPosition(position)
  shown?.revealPositionInCenterIfOutsideViewport(position)
  shown?.focus()
}

export const editorCommands: CommandHandlers = {
  'editor.open': open,
  'editor.newFile': () => {
    const unsaved = Object.entries(useDocuments.getState().states).flatMap(([key, { dirty }]) => (dirty ? [key] : []))
    const known = new Set([...unsaved, ...openPaths().map(pathKey)])
    let number = 1
    while (known.has(pathKey(untitledPath(number)))) number++
    open({ path: untitledPath(number) })
  },
  'editor.save': async () => {
    const path = currentPath()
    if (path) await saveFile(path)
  },
  'editor.saveAll': saveAll,
  'editor.revert': async () => {
    const path = currentPath()
    if (path) await revertFile(path)
  },
  'editor.close': () => {
    const tab = currentTab()
    if (tab) closeAsking([{ groupId: focusedGroup(editorGroups.getState()).id, tab }])
  },
  'editor.closeAll': () => {
    const { groups } = editorGroups.getState()
    closeAsking(groups.flatMap(({ id, tabs }) => tabs.map(tab => ({ groupId: id, tab }))))
  },
  'editor.saveAs': () => {
    const path = currentPath()
    if (path) saveAsWish.setState({ path, onSaved: undefined })
  },
  'editor.reopenClosed': () => {
    const tab = reopenClosed()
    if (!tab) toast.info(t('editor.nothingClosed'))
    else if (tab.kind === 'file') open({ path: tab.path })
  },
  'editor.selectForCompare': at => {
    const path = at?.path ?? currentPath()
    if (path) selectForCompare(path)
  },
  'editor.compareWithSelected': async at => {
    const path = at?.path ?? currentPath()
    if (path) await compareWithSelected(path)
  },
  'editor.compareWithClipboard': async at => {
    const path = at?.path ?? currentPath()
    if (path) await compareWithClipboard(path)
  },
  'editor.compareFiles': ({ left, right }) => compareFiles(left, right),
  'editor.compareWithSaved': async () => {
    const path = currentPath()
    if (path) await compareWithSaved(path)
  },
  'editor.language': () => {
    languageList.setState({ open: true })
  },
  'editor.back': () => go(-1),
  'editor.forward': () => go(1),
  'editor.split': () => changeGroups(split),
  'editor.nextTab': () => changeGroups(all => neighbour(all, 1)),
  'editor.previousTab': () => changeGroups(all => neighbour(all, -1)),
  'editor.goToLine': place => goToLine(place ?? undefined),
  'editor.find': () => (focusedSlices() ? askSlices('find') : runInEditor('actions.find')),
  'editor.replace': () => runInEditor('editor.action.startFindReplaceAction'),
  'editor.toggleWrap': () => saveSetting('user', 'editor.wordWrap', !settingNow('editor.wordWrap')),
  'editor.preview': () => {
    const path = currentPath()
    if (!path || !isMarkdown(path)) return void toast.info(t('editor.noPreview'))
    const tab = markdownTab(path)
    const showing = editorGroups.getState().groups.find(group => group.tabs.some(each => each.id === tab.id))
    changeGroups(all => (showing ? activate(all, showing.id, tab.id) : openBeside(all, tab)))
  },
  'editor.diff': openDiff,
  'editor.openPage': ({ page, key, title, path = null, living = false, argument = null, preview = false }) => {
    const id = `page:${page}:${key}`
    changeGroups(all => openTab(all, { kind: 'page', id, page, title, path, living, argument, preview }))
    if (!preview) wishFocus(id)
  },
}
