/** What a server would change in a workspace, checked: only inside its folders, only of the texts that servers have now. */
import { BelayError } from '#contract/error'
import type { EditStep, WorkspaceEdit } from '#contract/language-edit'
import type { WirePath } from '#contract/path'
import type { Client } from '../client.ts'
import { fileOf, uriOf, wellFormed } from '../open-documents.ts'
import type { LanguageWorkspace } from '../ports.ts'
import { indexText } from '../position.ts'
import { arrayOf, objectOf } from '../registrations.ts'
import { textAt } from '../synced-text.ts'
import { editsFrom } from './said.ts'

/** Throws `outside`, `stale`, `invalid`, `not_found`, each with words for a person. Changes nothing. */
export async function workspaceEditFrom(
  said: unknown,
  { client, workspace }: { client: Client; workspace: LanguageWorkspace },
): Promise<WorkspaceEdit> {
  const { changes, documentChanges } = objectOf(said)
  const listed = Array.isArray(documentChanges)
    ? documentChanges.map(objectOf)
    : Object.entries(objectOf(changes)).map(([uri, edits]) => ({ textDocument: { uri }, edits }))
  const steps = await Promise.all(listed.map(each => stepFrom(each, client, workspace)))
  return { steps: joined(steps) }
}

async function stepFrom(
  said: Record<string, unknown>,
  client: Client,
  workspace: LanguageWorkspace,
): Promise<EditStep> {
  const { kind, textDocument, edits, uri, oldUri, newUri } = said
  const options = objectOf(said.options)
  const is = (name: string): boolean => options[name] === true
  const at = (place: unknown): WirePath => inside(place, workspace)
  switch (kind) {
    case 'create':
      return { kind, path: at(uri), overwrite: is('overwrite'), ignoreIfExists: is('ignoreIfExists') }
    case 'rename': {
      const places = { from: at(oldUri), to: at(newUri) }
      return { kind, ...places, overwrite: is('overwrite'), ignoreIfExists: is('ignoreIfExists') }
    }
    case 'delete':
      return { kind, path: at(uri), recursive: is('recursive'), ignoreIfNotExists: is('ignoreIfNotExists') }
    default:
      return textStep(objectOf(textDocument).uri, edits, { client, workspace })
  }
}

async function textStep(
  uri: unknown,
  edits: unknown,
  { client, workspace }: { client: Client; workspace: LanguageWorkspace },
): Promise<EditStep> {
  const path = inside(uri, workspace)
  const absolute = fileOf(uri) as string
  const shown = workspace.documents.openedAt(absolute)
  const open = client.documents.get(uriOf(absolute))
  // What the server counts in must be what the person has.
  if (shown && open && open.index.text !== wellFormed(shown.text)) throw moved()
  const index = open?.index ?? (await unopened(absolute, workspace))
  const version = workspace.documents.openedAt(absolute)?.version ?? null
  if (version !== (shown?.version ?? null)) throw moved()
  return { kind: 'text', path, version, edits: editsFrom(edits, { index, encoding: client.encoding }) }
}

/** A file that the same edit creates has no text yet. */
async function unopened(absolute: string, workspace: LanguageWorkspace) {
  const text = await textAt(workspace, absolute)
  return indexText(text?.text ?? '')
}

function inside(uri: unknown, { paths }: LanguageWorkspace): WirePath {
  const absolute = fileOf(uri)
  const path = absolute === null ? null : paths.toWire(absolute)
  if (!path)
    throw new BelayError(
      'outside',
      'The language server would also change something outside the opened folders. Nothing was changed.',
    )
  return path
}

const moved = () => new BelayError('stale', 'The text changed meanwhile. Nothing was changed: try it again.')

/** Texts of one file that follow each other are one step; those with nothing to change are none. */
function joined(steps: readonly EditStep[]): EditStep[] {
  return steps.filter(step => step.kind !== 'text' || arrayOf(step.edits).length > 0)
}
