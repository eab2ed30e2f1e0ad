/**
 * The one table of commands: id -> argument, keys and place. Palette, menus, keys and buttons all run these records, and
 * nothing else. Titles come from the catalogue (`command.<id>`). Features bring the handlers (feature.ts); app runs them.
 */

import { createContext, useContext } from 'react'
import type { RewindTarget } from '#contract/head'
import type { ItemId, RootId, SessionId } from '#contract/id'
import type { Problem } from '#contract/language-problems'
import type { AnyPath, WirePath } from '#contract/path'
import type { Theme } from '#contract/window-settings'

/** What has the focus: a key counts only where its context holds. Set by app from `data-context` of the focused element's ancestors. */
export type CommandContext =
  | 'global'
  | 'editor'
  | 'explorer'
  | 'terminal'
  | 'chat'
  | 'list'
  | 'search'
  | 'git'
  | 'changes'
  | 'review'

export interface CommandDef<A> {
  /** VS Code's chord, `$mod` for Ctrl or Cmd: '$mod+Shift+P', '$mod+K $mod+S'. Later a user's keymap overrides it. */
  readonly keys?: readonly string[]
  readonly when?: CommandContext
  /** It moves about the window: its chord counts in a terminal too, where Ctrl and a letter are the shell's otherwise. */
  readonly passesShell?: true
  /** False keeps it out of the palette: it needs an argument. */
  readonly palette?: boolean
  readonly menu?: 'file' | 'edit' | 'view' | 'go' | 'agent' | 'terminal' | 'help'
  /** Type only. */
  readonly argument?: A
}

/** A place in a file, 1-based, as people count. */
export interface Place {
  readonly path: AnyPath
  readonly line?: number
  readonly column?: number
}

const command = <A = void>(def: Omit<CommandDef<A>, 'argument'> = {}): CommandDef<A> => def

export const commandTable = {
  // app
  'app.palette': command({ keys: ['$mod+Shift+P', 'F1'], menu: 'view' }),
  'app.findFile': command({ keys: ['$mod+P'], passesShell: true, menu: 'go' }),
  'app.openFolder': command({ keys: ['$mod+O'], menu: 'file' }),
  /** In the system's own dialog; a browser tab finds files of the folder by name. */
  'app.openFile': command({ menu: 'file' }),
  'app.openFolderInNewWindow': command({ keys: ['$mod+Alt+Shift+O'], menu: 'file' }),
  /** Workspaces of late, with what runs in each. */
  'app.switchWorkspace': command({ keys: ['$mod+Alt+O'], passesShell: true, menu: 'file' }),
  'app.addFolder': command({ menu: 'file' }),
  /** The folders of this workspace: which they are, which are read-only, what is mounted. */
  'app.folders': command({ menu: 'file' }),
  'app.removeRoot': command<{ rootId: RootId }>({ palette: false }),
  'app.setReadOnly': command<{ rootId: RootId; readOnly: boolean }>({ palette: false }),
  'app.openFolderAt': command<{ folder: string }>({ palette: false }),
  'app.cloneRepository': command({ menu: 'file' }),
  'app.closeFolder': command({ menu: 'file' }),
  /** The lists of folders of late, Belay's and the system's; what belongs to the folders stays. */
  'app.clearRecent': command(),
  /** Of a browser: the desktop's own are settings. */
  'app.allowNotifications': command(),
  'app.newWindow': command({ keys: ['$mod+Shift+N'], menu: 'file' }),
  'app.closeWindow': command({ keys: ['$mod+Shift+W'], menu: 'file' }),
  'app.fullScreen': command({ keys: ['F11', 'Control+Meta+F'], menu: 'view' }),
  /** The menu bar as a menu, where the window's top line has taken its place. */
  'app.menu': command({ keys: ['$mod+Alt+M'] }),
  'app.toggleSide': command({ keys: ['$mod+B'], passesShell: true, menu: 'view' }),
  'app.toggleBottom': command({ keys: ['$mod+J'], passesShell: true, menu: 'view' }),
  'app.toggleAgent': command({ keys: ['$mod+Alt+B'], menu: 'view' }),
  'app.focusAgent': command({ keys: ['$mod+L'], menu: 'view' }),
  'app.focusEditor': command({ keys: ['$mod+1'], menu: 'view' }),
  'app.nextPart': command({ keys: ['F6'] }),
  'app.previousPart': command({ keys: ['Shift+F6'] }),
  'app.swapSides': command({ menu: 'view' }),
  'app.trust': command({ menu: 'file' }),
  'app.untrust': command({ menu: 'file' }),
  'app.restartCore': command(),
  'app.restartTerminals': command(),
  'app.coreLog': command(),
  'app.terminalsLog': command(),
  'app.showPane': command<{ pane: string }>({ palette: false }),
  'app.theme': command<{ theme: Theme }>({ palette: false }),
  'app.nextTheme': command({ menu: 'view' }),
  'app.settings': command({ keys: ['$mod+,'], menu: 'file' }),
  'app.settingsJson': command(),
  'app.keymap': command({ keys: ['$mod+K $mod+S'], menu: 'file' }),
  'app.agents': command({ menu: 'agent' }),
  'app.memory': command({ menu: 'agent' }),
  'app.rules': command({ menu: 'agent' }),
  'app.record': command({ menu: 'agent' }),
  'app.jail': command({ menu: 'agent' }),
  'app.languageServers': command({ menu: 'view' }),
  'app.zoomIn': command({ keys: ['$mod+=', '$mod+Shift+='], menu: 'view' }),
  'app.zoomOut': command({ keys: ['$mod+-'], menu: 'view' }),
  'app.zoomReset': command({ keys: ['$mod+0'], menu: 'view' }),
  'app.reload': command({ menu: 'view' }),
  'app.about': command(),
  'app.checkUpdates': command({ menu: 'help' }),
  /** `belay` in the person's terminals. */
  'app.installShellCommand': command(),
  'app.removeShellCommand': command(),
  // explorer and search
  'explorer.show': command({ keys: ['$mod+Shift+E'], menu: 'view' }),
  'explorer.newFile': command({ menu: 'file' }),
  'explorer.newFolder': command({ menu: 'file' }),
  'explorer.rename': command({ keys: ['F2'], when: 'explorer' }),
  'explorer.delete': command({ keys: ['Delete'], when: 'explorer' }),
  'explorer.duplicate': command({ keys: ['$mod+D'], when: 'explorer' }),
  'explorer.undo': command({ keys: ['$mod+Z'], when: 'explorer' }),
  'explorer.redo': command({ keys: ['$mod+Shift+Z', '$mod+Y'], when: 'explorer' }),
  'explorer.reveal': command<{ path: AnyPath }>({ palette: false }),
  'explorer.refresh': command(),
  'explorer.collapse': command(),
  /** `include`: only in these files, as a person writes them. */
  'search.show': command<{ query?: string; include?: string } | void>({ keys: ['$mod+Shift+F'], menu: 'edit' }),
  'search.replace': command<{ include?: string } | void>({ keys: ['$mod+Shift+H'], menu: 'edit' }),
  'search.replaceAll': command({ keys: ['$mod+Alt+Enter'], when: 'search' }),
  'search.undoReplace': command({ menu: 'edit' }),
  // editor
  /** `focus`: whether the editor takes it; yes unless it is a preview. */
  'editor.open': command<Place & { preview?: boolean; side?: boolean; focus?: boolean }>({ palette: false }),
  /** A browser keeps Ctrl+N to itself, so there is a second chord. */
  'editor.newFile': command({ keys: ['$mod+N', '$mod+Alt+N'], menu: 'file' }),
  'editor.save': command({ keys: ['$mod+S'], menu: 'file' }),
  'editor.saveAs': command({ keys: ['$mod+Shift+S'], menu: 'file' }),
  'editor.saveAll': command({ keys: ['$mod+Alt+S'], menu: 'file' }),
  'editor.revert': command({ menu: 'file' }),
  'editor.close': command({ keys: ['$mod+Alt+W', '$mod+F4'], menu: 'file' }),
  'editor.closeAll': command(),
  /** A browser keeps Ctrl+Shift+T to itself, so there is a second chord. */
  'editor.reopenClosed': command({ keys: ['$mod+Shift+T', 'Alt+Shift+T'], menu: 'file' }),
  'editor.back': command({ keys: ['Alt+ArrowLeft'], menu: 'go' }),
  'editor.forward': command({ keys: ['Alt+ArrowRight'], menu: 'go' }),
  'editor.split': command({ keys: ['$mod+\\'], menu: 'view' }),
  'editor.nextTab': command({ keys: ['$mod+PageDown'] }),
  'editor.previousTab': command({ keys: ['$mod+PageUp'] }),
  /** Without a line it asks for one. */
  'editor.goToLine': command<{ line: number; column?: number } | void>({ keys: ['$mod+G'], menu: 'go' }),
  'editor.find': command({ keys: ['$mod+F'], when: 'editor', menu: 'edit' }),
  'editor.replace': command({ keys: ['$mod+H'], when: 'editor', menu: 'edit' }),
  'editor.toggleWrap': command({ keys: ['Alt+Z'], menu: 'view' }),
  'editor.preview': command({ keys: ['$mod+Shift+V'] }),
  /** Without an argument: the file in front. */
  'editor.selectForCompare': command<{ path: AnyPath } | void>({ menu: 'file' }),
  'editor.compareWithSelected': command<{ path: AnyPath } | void>({ menu: 'file' }),
  'editor.compareWithClipboard': command<{ path: AnyPath } | void>({ menu: 'file' }),
  'editor.compareFiles': command<{ left: AnyPath; right: AnyPath }>({ palette: false }),
  'editor.compareWithSaved': command({ keys: ['$mod+K D'], menu: 'file' }),
  'editor.language': command({ keys: ['$mod+K M'] }),
  // code: what language servers know of it
  'editor.goToDefinition': command({ keys: ['F12'], when: 'editor', menu: 'go' }),
  'editor.peekDefinition': command({ keys: ['Alt+F12'], when: 'editor' }),
  'editor.goToTypeDefinition': command({ menu: 'go' }),
  'editor.goToImplementation': command({ keys: ['$mod+F12'], when: 'editor', menu: 'go' }),
  'editor.goToReferences': command({ keys: ['Shift+F12'], when: 'editor', menu: 'go' }),
  'editor.goToSymbol': command({ keys: ['$mod+Shift+O'], menu: 'go' }),
  /** A browser keeps Ctrl+T to itself, so there is a second chord. */
  'editor.workspaceSymbol': command({ keys: ['$mod+T', '$mod+Alt+T'], menu: 'go' }),
  'editor.outline': command({ menu: 'view' }),
  'editor.crumbs': command({ keys: ['$mod+Shift+.'], when: 'editor' }),
  'editor.rename': command({ keys: ['F2'], when: 'editor', menu: 'edit' }),
  'editor.quickFix': command({ keys: ['$mod+.'], when: 'editor', menu: 'edit' }),
  'editor.refactor': command({ keys: ['$mod+Shift+R'], when: 'editor', menu: 'edit' }),
  'editor.organizeImports': command({ keys: ['Shift+Alt+O'], when: 'editor', menu: 'edit' }),
  'editor.format': command({ keys: ['Shift+Alt+F'], when: 'editor', menu: 'edit' }),
  'editor.formatSelection': command({ keys: ['$mod+K $mod+F'], when: 'editor' }),
  'editor.hover': command({ keys: ['$mod+K $mod+I'], when: 'editor' }),
  'editor.suggest': command({ keys: ['$mod+Space'], when: 'editor' }),
  'editor.parameterHints': command({ keys: ['$mod+Shift+Space'], when: 'editor' }),
  'editor.expandSelection': command({ keys: ['Shift+Alt+ArrowRight'], when: 'editor' }),
  'editor.shrinkSelection': command({ keys: ['Shift+Alt+ArrowLeft'], when: 'editor' }),
  'editor.diff': command<{ title: string; path: AnyPath; before: string; after: string }>({ palette: false }),
  /** A page of a feature as a tab. The same `page` and `key` is the same tab; `argument` is small plain data. */
  'editor.openPage': command<{
    page: string
    key: string
    title: string
    path?: AnyPath
    living?: boolean
    argument?: unknown
    preview?: boolean
  }>({ palette: false }),
  // source control
  'git.show': command({ keys: ['$mod+Shift+G'], menu: 'view' }),
  'git.refresh': command(),
  'git.init': command(),
  'git.commit': command({ keys: ['$mod+Enter'], when: 'git' }),
  'git.commitAndPush': command(),
  'git.amend': command(),
  'git.signOff': command(),
  'git.undoCommit': command(),
  'git.writeMessage': command(),
  /** Without paths: what is chosen in the list of changes. */
  'git.stage': command(),
  'git.unstage': command(),
  'git.toggleStaged': command({ keys: ['Space'], when: 'changes' }),
  'git.discard': command({ keys: ['Delete'], when: 'changes' }),
  'git.stageAll': command(),
  'git.unstageAll': command(),
  'git.discardAll': command(),
  'git.undoDiscard': command({ keys: ['$mod+Z'], when: 'changes' }),
  /** A change as a tab: its two sides, or the three of a conflict. `from` is what it was called before. */
  'git.openChange': command<{
    path: WirePath
    from: string | null
    group: 'conflicts' | 'staged' | 'changes' | 'untracked'
    preview: boolean
  }>({ palette: false }),
  /** In a tab that shows a change: the lines that are selected, else the hunk where the caret is. */
  'git.stageLines': command({ keys: ['$mod+K $mod+Alt+S'] }),
  'git.unstageLines': command({ keys: ['$mod+K $mod+N'] }),
  'git.discardLines': command({ keys: ['$mod+K $mod+R'] }),
  'git.nextConflict': command(),
  'git.previousConflict': command(),
  'git.branches': command(),
  'git.createBranch': command(),
  'git.renameBranch': command(),
  'git.deleteBranch': command(),
  'git.mergeBranch': command(),
  'git.rebaseOnto': command(),
  'git.tags': command(),
  'git.remotes': command(),
  'git.addRemote': command(),
  'git.sync': command(),
  'git.fetch': command(),
  'git.pull': command(),
  'git.pullRebase': command(),
  'git.push': command(),
  'git.publish': command(),
  'git.cancel': command(),
  'git.continue': command(),
  'git.skip': command(),
  'git.abort': command(),
  'git.stash': command(),
  'git.stashes': command(),
  'git.worktrees': command(),
  'git.addWorktree': command(),
  'git.log': command(),
  /** Without a path: the file in front. */
  'git.fileHistory': command<{ path: AnyPath } | void>(),
  'git.showCommit': command<{ rootId: RootId; commit: string }>({ palette: false }),
  'git.blame': command(),
  'git.blameLine': command(),
  'git.setIdentity': command(),
  // review
  /** `latest`: what the latest turn changed; otherwise the whole session. Without it: as it was looked at last. */
  'review.show': command<{ latest: boolean } | void>({ keys: ['$mod+Alt+R'], menu: 'view' }),
  'review.openFile': command<{ path: AnyPath; focus?: boolean }>({ palette: false }),
  'review.nextHunk': command({ keys: ['Alt+F5', 'F7'], when: 'review' }),
  'review.previousHunk': command({ keys: ['Shift+Alt+F5', 'Shift+F7'], when: 'review' }),
  'review.nextFile': command({ keys: ['Alt+F6', '$mod+Alt+ArrowDown'], when: 'review' }),
  'review.previousFile': command({ keys: ['Shift+Alt+F6', '$mod+Alt+ArrowUp'], when: 'review' }),
  'review.acceptHunk': command({ keys: ['$mod+Y'], when: 'review' }),
  'review.revertHunk': command({ keys: ['$mod+Backspace'], when: 'review' }),
  /** Without a path: the file in front. */
  'review.acceptFile': command<{ path: AnyPath } | void>({ keys: ['$mod+Enter'], when: 'review' }),
  'review.revertFile': command<{ path: AnyPath } | void>({ keys: ['$mod+Shift+Backspace'], when: 'review' }),
  'review.acceptAll': command({ menu: 'agent' }),
  'review.revertAll': command({ menu: 'agent' }),
  'review.undo': command({ keys: ['$mod+Z'], when: 'review', menu: 'edit' }),
  'review.comment': command({ keys: ['Alt+C', '$mod+K $mod+Alt+C'], when: 'review' }),
  'review.sendComments': command({ menu: 'agent' }),
  'review.toggleInline': command({ menu: 'view' }),
  // problems
  'problems.show': command({ keys: ['$mod+Shift+M'], menu: 'view' }),
  'problems.next': command({ keys: ['F8'], menu: 'go' }),
  'problems.previous': command({ keys: ['Shift+F8'], menu: 'go' }),
  /** Into the prompt, for a person to send. Without an argument: those where the caret is. */
  'problems.fix': command<{ path: AnyPath; problems: readonly Problem[] } | void>({ menu: 'agent' }),
  /** `serverId`: the `id` of a language server. Without it: what was looked at last. */
  'output.show': command<{ serverId: string } | void>({ keys: ['$mod+K $mod+H'], menu: 'view' }),
  // terminal
  'terminal.toggle': command({ keys: ['$mod+`'], menu: 'terminal' }),
  'terminal.new': command({ keys: ['$mod+Shift+`'], menu: 'terminal' }),
  'terminal.split': command({ keys: ['$mod+Shift+5'], menu: 'terminal' }),
  'terminal.end': command({ menu: 'terminal' }),
  'terminal.clear': command({ menu: 'terminal' }),
  'terminal.find': command({ keys: ['$mod+Shift+F'], when: 'terminal' }),
  'terminal.rename': command(),
  'terminal.next': command({ keys: ['$mod+PageDown'], when: 'terminal' }),
  'terminal.previous': command({ keys: ['$mod+PageUp'], when: 'terminal' }),
  'terminal.previousCommand': command({ keys: ['$mod+ArrowUp'], when: 'terminal' }),
  'terminal.nextCommand': command({ keys: ['$mod+ArrowDown'], when: 'terminal' }),
  'terminal.runAgain': command({ menu: 'terminal' }),
  'terminal.copyOutput': command(),
  'terminal.selectAll': command(),
  'terminal.screenReader': command(),
  'terminal.sendToAgent': command({ menu: 'terminal' }),
  'terminal.openBackground': command<{ backgroundId: string }>({ palette: false }),
  // agent
  'agent.newSession': command({ keys: ['$mod+Shift+L'], menu: 'agent' }),
  'agent.openSession': command<{ sessionId: SessionId }>({ palette: false }),
  'agent.sessions': command({ keys: ['$mod+R'], menu: 'agent' }),
  'agent.stop': command({ keys: ['$mod+.'], menu: 'agent' }),
  /** What waits for a person, one after the other. */
  'agent.nextAsk': command({ keys: ['$mod+Alt+A'], menu: 'agent' }),
  'agent.mode': command({ menu: 'agent' }),
  'agent.model': command({ menu: 'agent' }),
  /** Asks first: what, and what becomes of each file. Without a target: the last turn. */
  'agent.rewind': command<{ to: RewindTarget } | void>({ keys: ['$mod+Alt+Z'], menu: 'agent' }),
  /** Takes the last move of the conversation back, files included. */
  'agent.undoRewind': command({ keys: ['$mod+Alt+Shift+Z'], menu: 'agent' }),
  /** Answers the request of that item once more; without one, the last. */
  'agent.rerun': command<{ itemId: ItemId } | void>({ keys: ['$mod+Alt+Y'], menu: 'agent' }),
  'agent.continue': command({ menu: 'agent' }),
  /** A person's own message where it stands; without one, the last. */
  'agent.editPrompt': command<{ itemId: ItemId } | void>({ menu: 'agent' }),
  /** To another prompt or answer at the last place where the conversation went on in more than one way. */
  'agent.previousBranch': command(),
  'agent.nextBranch': command(),
  /** A session of its own from that item on: with it, or from before it. Without one: from where the conversation stands. */
  'agent.fork': command<{ itemId?: ItemId; before?: boolean; title?: string } | void>({ menu: 'agent' }),
  /** `focus`: what should be kept in view. */
  'agent.compact': command<{ focus: string } | void>({ menu: 'agent' }),
  /** Without an argument: the session that is shown, and another that is asked for. */
  'agent.compareBranches': command<{ a: SessionId; b?: SessionId } | void>({ menu: 'agent' }),
  'agent.exportMarkdown': command<{ sessionId: SessionId } | void>({ menu: 'agent' }),
  'agent.exportJson': command<{ sessionId: SessionId } | void>({ menu: 'agent' }),
  'agent.importSession': command({ menu: 'agent' }),
  /** `write`: the person goes on there. */
  'agent.addToPrompt': command<{ text?: string; path?: AnyPath; write?: boolean }>({ palette: false }),
} as const satisfies Record<string, CommandDef<unknown>>

export type CommandId = keyof typeof commandTable
export type CommandArgument<I extends CommandId> = (typeof commandTable)[I] extends CommandDef<infer A> ? A : never
/** Commands without an argument may be run by name alone. */
export type RunCommand = <I extends CommandId>(
  id: I,
  ...argument: void extends CommandArgument<I> ? [CommandArgument<I>?] : [CommandArgument<I>]
) => Promise<void>

/** Provided by app; the default says that nothing runs outside it. */
export const RunnerContext = createContext<RunCommand>((async (id: CommandId) => {
  throw new Error(`No runner for ${id}`)
}) as RunCommand)
/** The runner: failures are shown to the person by app, so callers need not catch. */
export const useCommand = (): RunCommand => useContext(RunnerContext)
