/** What servers offer to do at a place: listed, then made into edits when one is chosen. Commands run only as part of a chosen one. */
import { BelayError } from '#contract/error'
import type { WorkspaceEdit } from '#contract/language-edit'
import type { CodeAction } from '#contract/language-editor'
import type { TextRange } from '#contract/text-range'
import { flat } from '../../base/foreign-text.ts'
import type { Command } from '../client.ts'
import type { OpenDocument } from '../open-documents.ts'
import type { LanguageWorkspace } from '../ports.ts'
import { arrayOf, objectOf } from '../registrations.ts'
import { createKept } from './kept.ts'
import { type Asked, isStale, stale, staleOr } from './question.ts'
import { refused } from './refused.ts'
import { rangeFrom, rangeToServer, stringOf, stringsOf } from './said.ts'
import { together } from './together.ts'
import { workspaceEditFrom } from './workspace-edit.ts'

export interface ActionQuestion {
  readonly range: TextRange
  readonly only: readonly string[]
  readonly trigger: 'invoked' | 'automatic'
}

const MOST_ACTIONS = 200
const RESOLVE_MS = 15_000

interface Kept {
  readonly asked: Asked
  /** The version of the server's copy in which it was offered. */
  readonly version: number
  readonly said: Record<string, unknown>
}

export function createActions(workspace: LanguageWorkspace) {
  const kept = createKept<Kept[]>()
  const keptAt = (client: string, listId: string, index: number): Kept => {
    const found = kept.get(client, listId)?.[index]
    if (!found) throw new BelayError('not_found', 'That is not offered any more. Nothing was changed: ask again.')
    return found
  }
  const nameOf = ({ asked }: Kept): string => asked.client.definition.name
  return {
    async list(client: string, askable: readonly Asked[], question: ActionQuestion) {
      const answers = await together(askable, each => each.ask(paramsFor(each, question)))
      const found = answers.flatMap((answer, at) => offered(answer, askable[at] as Asked, question))
      const some = found.slice(0, MOST_ACTIONS)
      return { listId: kept.keep(client, some), actions: some.map(({ said }, index) => actionOf(said, index)) }
    },
    async resolve(client: string, listId: string, index: number, signal: AbortSignal) {
      const chosen = keptAt(client, listId, index)
      const { asked, version } = chosen
      if (!isOf(asked, version)) return stale
      const whole = chosen.said.edit === undefined && asked.provider.options.resolveProvider === true
      const answer = whole
        ? await asked.client
            .request('codeAction/resolve', chosen.said, { signal, timeoutMs: RESOLVE_MS })
            .catch(refused(nameOf(chosen)))
        : chosen.said
      if (!isOf(asked, version)) return stale
      const said = { ...chosen.said, ...objectOf(answer) }
      chosen.said.command = said.command
      const edit = await workspaceEditFrom(said.edit ?? {}, { client: asked.client, workspace }).catch(staleOr)
      if (isStale(edit)) return stale
      return { edit, command: commandOf(said, asked) !== null }
    },
    async run(client: string, listId: string, index: number, signal: AbortSignal): Promise<WorkspaceEdit[]> {
      const chosen = keptAt(client, listId, index)
      const command = commandOf(chosen.said, chosen.asked)
      if (!command) throw new BelayError('unsupported', `${nameOf(chosen)} cannot run that. Nothing was changed.`)
      const { client: server } = chosen.asked
      const edits = await server.command(command, signal).catch(refused(nameOf(chosen)))
      const made: WorkspaceEdit[] = []
      for (const edit of edits) made.push(await workspaceEditFrom(edit, { client: server, workspace }))
      return made
    },
  }
}

const isOf = ({ client, document }: Asked, version: number): boolean =>
  document.version === version && client.documents.get(document.uri) === document

function paramsFor(asked: Asked, { range, only, trigger }: ActionQuestion) {
  return {
    range: rangeToServer(range, asked),
    context: {
      diagnostics: wrongIn(asked, range),
      ...(only.length > 0 ? { only } : {}),
      triggerKind: trigger === 'invoked' ? 1 : 2,
    },
  }
}

/** As the server itself sent them: it finds by them what it can mend. */
function wrongIn(asked: Asked, { start, end }: TextRange): unknown[] {
  return saidOf(asked.document).filter(each => {
    const at = rangeFrom(objectOf(each).range, asked)
    return at !== null && !isBefore(at.end, start) && !isBefore(end, at.start)
  })
}

type At = TextRange['start']
const isBefore = (a: At, b: At): boolean => a.line < b.line || (a.line === b.line && a.character < b.character)

/** All it said of this very version. */
function saidOf({ version, pulled, pushed }: OpenDocument): unknown[] {
  const answers = [...pulled.values()].filter(each => each.version === version)
  return [...answers.flatMap(({ items }) => items), ...(pushed?.items ?? [])]
}

function offered(answer: unknown, asked: Asked, { only }: ActionQuestion): Kept[] {
  return arrayOf(answer).flatMap((each): Kept[] => {
    const plain = objectOf(each)
    // A bare command, as the protocol once had it.
    const said: Record<string, unknown> =
      typeof plain.command === 'string' ? { title: plain.title, command: plain } : { ...plain }
    if (typeof said.title !== 'string') return []
    const kind = stringOf(plain.kind) ?? ''
    if (only.length > 0 && !only.some(wanted => kind === wanted || kind.startsWith(`${wanted}.`))) return []
    const isEmpty = said.edit === undefined && commandOf(said, asked) === null
    if (isEmpty && asked.provider.options.resolveProvider !== true && !plain.disabled) return []
    return [{ asked, version: asked.document.version, said }]
  })
}

function actionOf({ title, kind, isPreferred, disabled }: Record<string, unknown>, index: number): CodeAction {
  const { reason } = objectOf(disabled)
  return {
    index,
    title: flat(String(title), 300),
    kind: stringOf(kind, 200) ?? '',
    preferred: isPreferred === true,
    disabled: typeof reason === 'string' ? flat(reason, 300) : null,
  }
}

/** Null: there is none, or it is one of editors, of which Belay runs none. */
function commandOf({ command }: Record<string, unknown>, { client, document }: Asked): Command | null {
  const { command: name, arguments: given } = objectOf(command)
  const known = client
    .providers('workspace/executeCommand', document)
    .flatMap(({ options }) => stringsOf(options.commands))
  if (typeof name !== 'string' || !known.includes(name)) return null
  return { command: name, ...(Array.isArray(given) ? { arguments: given } : {}) }
}
