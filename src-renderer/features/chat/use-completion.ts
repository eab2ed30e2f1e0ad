/**
 * `/` commands, `@` agents and files while one writes: what is offered, which is marked, and what choosing one does. A key that
 * comes before the files of what is written waits for them: it neither takes another row nor sends half a message.
 */
import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react'
import type { AgentDefinition } from '#contract/agents'
import type { WorkspaceId } from '#contract/id'
import { pathKey, type WirePath } from '#contract/path'
import { belay } from '../../client/index.ts'
import { rootNameIn, useWorkspace } from '../../state/view/workspace.ts'
import { useT } from '../../ui/i18n.ts'
import { type CommandId, useCommand } from '../commands.ts'
import { chatDraft } from './draft.ts'
import { keepChoice, rememberChoices } from './remember.ts'
import { slashCommands } from './slash.ts'

export interface CompletionEntry {
  readonly id: string
  readonly kind: 'command' | 'agent' | 'file' | 'memory' | 'send'
  readonly label: string
  readonly note: string
  readonly choose: () => void
  /** Tab: writes it out, for what may follow it. */
  readonly complete?: () => void
}

export interface Completion {
  readonly entries: readonly CompletionEntry[]
  readonly marked: number
  readonly listId: string
  readonly aria: Record<string, string | boolean | undefined>
  onInput(field: HTMLTextAreaElement): void
  /** True: the key was for the list. */
  onKeyDown(event: KeyboardEvent): boolean
  choose(index: number): void
  close(): void
}

/**
 * The word under the caret that asks for help: `/...` alone in the field, `@...` anywhere after a space; `#...` as the one line
 * in it, where it is no number and no heading below the first.
 */
export function triggerIn(text: string, caret: number): { kind: '/' | '@' | '#'; from: number; query: string } | null {
  const before = text.slice(0, caret)
  const note = /^#(?![\d#!])[^\n]*$/.exec(text)
  if (note) return { kind: '#', from: 0, query: text.slice(1) }
  if (/^\/\w*$/.test(before) && caret === text.length) return { kind: '/', from: 0, query: before.slice(1) }
  const at = /(?:^|\s)@([^\s@]*)$/.exec(before)
  return at ? { kind: '@', from: caret - (at[1] ?? '').length - 1, query: at[1] ?? '' } : null
}

/** `onNothing`: Enter was meant for a list that turned out to be empty. */
export function useCompletion(field: RefObject<HTMLTextAreaElement | null>, onNothing: () => void): Completion {
  const t = useT()
  const run = useCommand()
  const workspace = useWorkspace()
  const listId = useId()
  const [trigger, setTrigger] = useState<ReturnType<typeof triggerIn>>(null)
  const [found, setFound] = useState<Found>(nothingFound)
  const [marked, setMarked] = useState(0)
  const dismissed = useRef<string | null>(null)
  const held = useRef<'Enter' | 'Tab' | null>(null)
  /** A note is on its way: choosing again would keep it twice. */
  const keeping = useRef(false)
  const query = trigger?.kind === '@' ? trigger.query : null
  const workspaceId = workspace?.workspaceId
  const agents = useAgents(query !== null ? workspaceId : undefined)

  useEffect(() => {
    if (query === null || !workspaceId) return setFound(nothingFound)
    const abort = new AbortController()
    const answer = (files: readonly WirePath[]) => !abort.signal.aborted && setFound({ query, files })
    belay.workspace.find({ workspaceId, query, limit: 12 }, { signal: abort.signal }).then(
      ({ files }) => answer(files.map(file => file.path)),
      () => answer([]),
    )
    return () => abort.abort()
  }, [query, workspaceId])
  /** The files are still those of what was written before. */
  const late = query !== null && workspaceId !== undefined && found.query !== query

  const close = () => {
    held.current = null
    setTrigger(null)
  }
  const replace = (text: string) => {
    if (!trigger) return
    const { kind, from, query: words } = trigger
    const end = from + kind.length + words.length
    // What took its place while a choice was being carried out stays.
    if (chatDraft.get().text.slice(from, end) !== kind + words) return
    chatDraft.set(now => ({ ...now, text: now.text.slice(0, from) + text + now.text.slice(end) }))
    close()
    const caret = from + text.length
    field.current?.focus()
    // The text is in the field with the next frame.
    requestAnimationFrame(() => field.current?.setSelectionRange(caret, caret))
  }
  const noteEntries = (words: string): readonly CompletionEntry[] => {
    const choices = rememberChoices(words, workspace, run).map(choice => ({
      ...{ id: choice.id, kind: 'memory' as const, label: choice.label, note: choice.note },
      choose: () => {
        if (keeping.current) return
        keeping.current = true
        void keepChoice(choice, () => replace('')).finally(() => {
          keeping.current = false
        })
      },
    }))
    const send = {
      ...{ id: 'send', kind: 'send' as const, label: t('chat.remember.send'), note: t('chat.rememberNote.send') },
      choose: () => {
        close()
        onNothing()
      },
    }
    return choices.length > 0 ? [...choices, send] : []
  }
  const entries: readonly CompletionEntry[] =
    trigger?.kind === '/'
      ? slashCommands
          .filter(({ word }) => word.startsWith(trigger.query.toLowerCase()))
          .map(({ word, command, takes }) => ({
            id: word,
            kind: 'command' as const,
            label: takes ? `/${word} [${t(`chat.slashTakes.${takes}`)}]` : `/${word}`,
            note: t(`command.${command}`),
            choose: () => {
              replace('')
              void (run as (id: CommandId) => Promise<void>)(command)
            },
            ...(takes ? { complete: () => replace(`/${word} `) } : {}),
          }))
      : trigger?.kind === '#'
        ? noteEntries(trigger.query)
        : trigger?.kind === '@'
          ? [
              ...matchingAgents(agents, trigger.query).map(({ name, description }) => ({
                id: `@${name}`,
                kind: 'agent' as const,
                label: `@${name}`,
                note: description,
                choose: () => replace(`@${name} `),
              })),
              ...found.files.map(path => ({
                id: pathKey(path),
                kind: 'file' as const,
                label: path.path,
                note: rootNameIn(workspace, path.rootId) ?? '',
                choose: () => {
                  replace('')
                  chatDraft.set(now => ({ ...now, paths: [...now.paths, path] }))
                },
              })),
            ]
          : []
  const open = entries.length > 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: it acts once, when the answer is there
  useEffect(() => {
    const key = held.current
    if (late || key === null) return
    held.current = null
    if (entries[0]) entries[0].choose()
    else if (key === 'Enter') onNothing()
  }, [late])
  const at = Math.min(marked, entries.length - 1)
  return {
    entries,
    marked: at,
    listId,
    close,
    choose: index => entries[index]?.choose(),
    aria: {
      role: 'combobox',
      'aria-expanded': open,
      'aria-controls': open ? listId : undefined,
      'aria-activedescendant': open ? `${listId}-${at}` : undefined,
      'aria-autocomplete': 'list',
    },
    onInput(element) {
      const found = triggerIn(element.value, element.selectionStart)
      const key = found && `${found.kind}${found.from}`
      if (key !== dismissed.current) dismissed.current = null
      if (found?.query !== trigger?.query || found?.kind !== trigger?.kind) {
        setMarked(0)
        held.current = null
      }
      setTrigger(found && dismissed.current === null ? found : null)
    },
    onKeyDown(event) {
      if (event.ctrlKey || event.metaKey || event.altKey) return false
      if (late && (event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey) {
        held.current = event.key
        event.preventDefault()
        event.stopPropagation()
        return true
      }
      if (!open) return false
      const moves = new Map<string, () => void>([
        ['ArrowDown', () => setMarked((at + 1) % entries.length)],
        ['ArrowUp', () => setMarked((at - 1 + entries.length) % entries.length)],
        ['Enter', () => entries[at]?.choose()],
        ['Tab', () => (entries[at]?.complete ?? entries[at]?.choose)?.()],
        [
          'Escape',
          () => {
            dismissed.current = trigger && `${trigger.kind}${trigger.from}`
            close()
          },
        ],
      ])
      const move = moves.get(event.key)
      if (!move || (event.key === 'Enter' && event.shiftKey)) return false
      event.preventDefault()
      event.stopPropagation()
      move()
      return true
    },
  }
}

interface Found {
  /** What was asked for; null before anything was. */
  readonly query: string | null
  readonly files: readonly WirePath[]
}
const nothingFound: Found = { query: null, files: [] }

type Agent = Pick<AgentDefinition, 'name' | 'description'>
const nobody: readonly Agent[] = []

/** Asked for anew whenever someone begins to address one: a file may have been written since. */
function useAgents(workspaceId: WorkspaceId | undefined): readonly Agent[] {
  const [agents, setAgents] = useState(nobody)
  useEffect(() => {
    if (!workspaceId) return
    const abort = new AbortController()
    belay.agents.list({ workspaceId }, { signal: abort.signal }).then(
      found => setAgents(found.agents.filter(agent => !agent.hidden)),
      () => {},
    )
    return () => abort.abort()
  }, [workspaceId])
  return agents
}

/** Agents offered beside files. */
const MOST_AGENTS = 6
/** By the beginning of their names: files are found by any part. */
export const matchingAgents = <A extends Agent>(agents: readonly A[], query: string): A[] =>
  agents.filter(({ name }) => name.toLowerCase().startsWith(query.toLowerCase())).slice(0, MOST_AGENTS)
