/**
 * What an editor asks about an open document. Every question names the version that the asking window has acknowledged, and
 * its answer is about exactly that version: for any other there is `stale`. All words in answers are hostile text.
 *
 * Only what a person asked for (rename, actions, formatting) rejects, with words for that person; of everything else no answer
 * is an empty one.
 */
import { z } from 'zod'
import { event, request } from './define.ts'
import { DocumentId, WorkspaceId } from './id.ts'
import { FollowingText, TextEdit, WorkspaceEdit } from './language-edit.ts'
import { AnyPath, Moves } from './path.ts'
import { TextPosition, TextRange } from './text-range.ts'

const which = { workspaceId: WorkspaceId, documentId: DocumentId }
const about = { ...which, version: z.number().int() }
const at = { ...about, position: TextPosition }

/** The document has another version than the one that was asked about, or is not open any more: no result. */
export const Stale = z.object({ stale: z.literal(true) })
export type Stale = z.infer<typeof Stale>
const orStale = <T extends z.ZodType>(found: T) => z.union([Stale, found])

/** `code`: in `language`, to be shown as it is. */
export const Words = z.object({
  kind: z.enum(['markdown', 'plaintext', 'code']),
  text: z.string(),
  language: z.string().optional(),
})
export type Words = z.infer<typeof Words>

/** Why there is nothing to ask: `off` by the settings, `none` covers such a file, the others as in `servers`. */
export const LanguageState = z.enum(['off', 'untrusted', 'none', 'missing', 'broken', 'starting', 'ready'])
export type LanguageState = z.infer<typeof LanguageState>

/** Null or false: no server of the file can do it (yet). Characters are those after which a question is worth it. */
export const LanguageFeatures = z.object({
  completion: z.object({ triggerCharacters: z.array(z.string()) }).nullable(),
  hover: z.boolean(),
  signature: z.object({ triggerCharacters: z.array(z.string()), retriggerCharacters: z.array(z.string()) }).nullable(),
  definition: z.boolean(),
  declaration: z.boolean(),
  typeDefinition: z.boolean(),
  implementation: z.boolean(),
  references: z.boolean(),
  highlights: z.boolean(),
  rename: z.boolean(),
  codeActions: z.boolean(),
  format: z.boolean(),
  formatRange: z.boolean(),
  formatOnType: z.object({ characters: z.array(z.string()) }).nullable(),
  semanticTokens: z.boolean(),
  folding: z.boolean(),
  symbols: z.boolean(),
  workspaceSymbols: z.boolean(),
  inlayHints: z.boolean(),
  selectionRanges: z.boolean(),
  colors: z.boolean(),
  linkedEditing: z.boolean(),
  links: z.boolean(),
})
export type LanguageFeatures = z.infer<typeof LanguageFeatures>

/** Numbers of the protocol, from 1: `text` to `type parameter`, and `file` to `type parameter`. */
const CompletionKind = z.number().int().min(1).max(25)
const SymbolKind = z.number().int().min(1).max(26)

export const Completion = z.object({
  /** Its place in the list, for `resolveCompletion`. */
  index: z.number().int(),
  label: z.string(),
  /** Right behind the label, and at the end of the line. */
  labelDetail: z.string().optional(),
  labelDescription: z.string().optional(),
  kind: CompletionKind.optional(),
  detail: z.string().optional(),
  documentation: Words.optional(),
  deprecated: z.boolean().optional(),
  preselect: z.boolean().optional(),
  /** Absent: the label. */
  sortText: z.string().optional(),
  filterText: z.string().optional(),
  insertText: z.string().optional(),
  snippet: z.boolean().optional(),
  /** Lines after the first get the indentation of the line it is put in. */
  adjustIndent: z.boolean().optional(),
  /** Absent: the list's. Null: the word at the position. */
  ranges: z.object({ insert: TextRange, replace: TextRange }).nullable().optional(),
  /** Absent: the list's. */
  commitCharacters: z.array(z.string()).optional(),
  /** Elsewhere in the same document (an import). `resolveCompletion` may say more. */
  additionalEdits: z.array(TextEdit).optional(),
  /** After it was put in, the next list is asked for at once. */
  asksAgain: z.boolean().optional(),
})
export type Completion = z.infer<typeof Completion>

export const CompletionList = z.object({
  /** Kept in the core while the list is among the client's last. */
  listId: z.string(),
  /** More typing asks again. */
  incomplete: z.boolean(),
  ranges: z.object({ insert: TextRange, replace: TextRange }).nullable(),
  commitCharacters: z.array(z.string()),
  items: z.array(Completion),
})
export type CompletionList = z.infer<typeof CompletionList>

export const Signature = z.object({
  label: z.string(),
  documentation: Words.nullable(),
  /** [start, end) in `label`. */
  parameters: z.array(z.object({ label: z.tuple([z.number(), z.number()]), documentation: Words.nullable() })),
  activeParameter: z.number().int().nullable(),
})
export type Signature = z.infer<typeof Signature>

export const LanguagePlace = z.object({
  path: AnyPath,
  /** The name itself. */
  range: TextRange,
  /** All that belongs to it, where that is known. */
  whole: TextRange.nullable(),
  /** In the document that was asked about: what leads there. */
  origin: TextRange.nullable(),
})
export type LanguagePlace = z.infer<typeof LanguagePlace>

const places = orStale(z.object({ places: z.array(LanguagePlace), truncated: z.boolean() }))

export const DocumentSymbol = z.object({
  name: z.string(),
  detail: z.string(),
  kind: SymbolKind,
  deprecated: z.boolean(),
  range: TextRange,
  selection: TextRange,
  get children() {
    return z.array(DocumentSymbol)
  },
})
export type DocumentSymbol = z.infer<typeof DocumentSymbol>

export const WorkspaceSymbol = z.object({
  name: z.string(),
  container: z.string(),
  kind: SymbolKind,
  path: AnyPath,
  range: TextRange,
})
export type WorkspaceSymbol = z.infer<typeof WorkspaceSymbol>

export const CodeAction = z.object({
  index: z.number().int(),
  title: z.string(),
  /** As the protocol has it: `quickfix`, `refactor.extract`, `source.organizeImports`; '' where the server names none. */
  kind: z.string(),
  preferred: z.boolean(),
  /** Why it cannot be done now. */
  disabled: z.string().nullable(),
})
export type CodeAction = z.infer<typeof CodeAction>

export const InlayHint = z.object({
  position: TextPosition,
  label: z.string(),
  tooltip: Words.nullable(),
  kind: z.enum(['type', 'parameter']).nullable(),
  paddingLeft: z.boolean(),
  paddingRight: z.boolean(),
  /** What makes the hint part of the text. */
  edits: z.array(TextEdit),
})
export type InlayHint = z.infer<typeof InlayHint>

const Color = z.object({ red: z.number(), green: z.number(), blue: z.number(), alpha: z.number() })

/** How a document is to be formatted. */
export const Formatting = z.object({ tabSize: z.number().int().min(1).max(100), insertSpaces: z.boolean() })
export type Formatting = z.infer<typeof Formatting>
const edits = orStale(z.object({ edits: z.array(TextEdit) }))

/** The one legend of all servers: what `data` counts by. What a server calls otherwise is left out. */
export const semanticTokenTypes = [
  ...['namespace', 'type', 'class', 'enum', 'interface', 'struct', 'typeParameter', 'parameter', 'variable'],
  ...['property', 'enumMember', 'event', 'function', 'method', 'macro', 'keyword', 'modifier', 'comment', 'string'],
  ...['number', 'regexp', 'operator', 'decorator', 'label'],
] as const
export const semanticTokenModifiers = [
  ...['declaration', 'definition', 'readonly', 'static', 'deprecated', 'abstract', 'async', 'modification'],
  ...['documentation', 'defaultLibrary', 'local'],
] as const

export const editorMethods = {
  /**
   * What can be asked about a document. The person has it before them, so its servers start (`starting`) and read it; `note`
   * says for a person why there is nothing, and what to do. Asked again after `featuresChanged`.
   */
  features: request(
    z.object(which),
    z.object({ state: LanguageState, note: z.string().nullable(), features: LanguageFeatures }),
  ),
  completion: request(
    z.object({
      ...at,
      /** `character`: after typing it. `incomplete`: the last list was. */
      trigger: z.enum(['invoked', 'character', 'incomplete']),
      character: z.string().max(10).optional(),
    }),
    orStale(CompletionList),
  ),
  /** What the list left out, once; an empty answer where the list is none of the last any more. */
  resolveCompletion: request(
    z.object({ workspaceId: WorkspaceId, listId: z.string().max(64), index: z.number().int() }),
    Completion.pick({ detail: true, documentation: true, additionalEdits: true }),
  ),
  /** `parts` of several servers, one after the other. */
  hover: request(z.object(at), orStale(z.object({ parts: z.array(Words), range: TextRange.nullable() }))),
  signature: request(
    z.object({
      ...at,
      trigger: z.enum(['invoked', 'character', 'change']),
      character: z.string().max(10).optional(),
      /** One is shown already. */
      retrigger: z.boolean(),
    }),
    orStale(z.object({ signatures: z.array(Signature), active: z.number().int() })),
  ),
  definition: request(z.object(at), places),
  declaration: request(z.object(at), places),
  typeDefinition: request(z.object(at), places),
  implementation: request(z.object(at), places),
  references: request(z.object({ ...at, includeDeclaration: z.boolean().default(true) }), places),
  highlights: request(
    z.object(at),
    orStale(z.object({ highlights: z.array(z.object({ range: TextRange, kind: z.enum(['text', 'read', 'write']) })) })),
  ),
  /** Rejects where nothing there can be renamed. */
  prepareRename: request(z.object(at), orStale(z.object({ range: TextRange, name: z.string() }))),
  /** Changes nothing. */
  rename: request(z.object({ ...at, newName: z.string().min(1).max(1000) }), orStale(WorkspaceEdit)),
  /**
   * What names these files and folders by their place, and what they name, as it would be after the move: asked before it, and
   * done by `workspace.edit` behind it. `note`, for a person: why something may be missing. Changes nothing, never rejects.
   */
  willMove: request(
    z.object({ workspaceId: WorkspaceId, moves: Moves }),
    z.object({ texts: z.array(FollowingText), note: z.string().nullable() }),
  ),
  /** The core adds what it knows to be wrong in the range. `only`: kinds, and those below them; empty: all. */
  codeActions: request(
    z.object({
      ...about,
      range: TextRange,
      only: z.array(z.string().max(200)).max(50).default([]),
      trigger: z.enum(['invoked', 'automatic']),
    }),
    orStale(z.object({ listId: z.string(), actions: z.array(CodeAction) })),
  ),
  /** What it changes, and whether `executeCommand` is to follow once that is applied. Rejects for a list that is gone. */
  resolveCodeAction: request(
    z.object({ workspaceId: WorkspaceId, listId: z.string().max(64), index: z.number().int() }),
    orStale(z.object({ edit: WorkspaceEdit, command: z.boolean() })),
  ),
  /** Runs it in its server. What the server then asks to be changed is the answer, in order; it is not applied. */
  executeCommand: request(
    z.object({ workspaceId: WorkspaceId, listId: z.string().max(64), index: z.number().int() }),
    z.object({ edits: z.array(WorkspaceEdit) }),
  ),
  format: request(z.object({ ...about, options: Formatting }), edits),
  formatRange: request(z.object({ ...about, range: TextRange, options: Formatting }), edits),
  formatOnType: request(z.object({ ...at, character: z.string().max(10), options: Formatting }), edits),
  /**
   * Five numbers a token, as the protocol and Monaco have them: lines down, characters right, length, type, bits of modifiers.
   * Types and modifiers count by `semanticTokenTypes` and `semanticTokenModifiers`.
   */
  semanticTokens: request(z.object(about), orStale(z.object({ data: z.array(z.number()) }))),
  folding: request(
    z.object(about),
    orStale(
      z.object({
        ranges: z.array(
          z.object({
            startLine: z.number().int(),
            endLine: z.number().int(),
            kind: z.enum(['comment', 'imports', 'region']).nullable(),
          }),
        ),
      }),
    ),
  ),
  symbols: request(z.object(about), orStale(z.object({ symbols: z.array(DocumentSymbol) }))),
  /** Of the servers that run; starts none. */
  workspaceSymbols: request(
    z.object({ workspaceId: WorkspaceId, query: z.string().max(1000) }),
    z.object({ symbols: z.array(WorkspaceSymbol), truncated: z.boolean() }),
  ),
  inlayHints: request(z.object({ ...about, range: TextRange }), orStale(z.object({ hints: z.array(InlayHint) }))),
  /** For each position, ranges from the smallest to the whole. */
  selectionRanges: request(
    z.object({ ...about, positions: z.array(TextPosition).min(1).max(100) }),
    orStale(z.object({ ranges: z.array(z.array(TextRange)) })),
  ),
  colors: request(
    z.object(about),
    orStale(z.object({ colors: z.array(z.object({ range: TextRange, color: Color })) })),
  ),
  /** Ways to write a color there. */
  colorWritings: request(
    z.object({ ...about, range: TextRange, color: Color }),
    orStale(z.object({ writings: z.array(z.object({ label: z.string(), edit: TextEdit })) })),
  ),

  /** Places that say the same and are typed in together, such as the two names of a tag; `wordPattern`: what may be typed there. */
  linkedEditing: request(
    z.object(at),
    orStale(z.object({ ranges: z.array(TextRange), wordPattern: z.string().nullable() })),
  ),
  /** What leads elsewhere: `target` is a file of this machine or an address of the web. */
  links: request(
    z.object(about),
    orStale(
      z.object({
        links: z.array(z.object({ range: TextRange, target: z.string(), tooltip: z.string().nullable() })),
      }),
    ),
  ),

  /** What `features` answers may be another now, for any document of the workspace. */
  featuresChanged: event(z.object({ workspaceId: WorkspaceId })),
  /** A server would answer otherwise than before, though no text changed. */
  answersChanged: event(
    z.object({ workspaceId: WorkspaceId, what: z.enum(['semanticTokens', 'inlayHints', 'folding']) }),
  ),
} as const
