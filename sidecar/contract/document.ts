/** Open text files. The sidecar owns the text; an editor applies keystrokes at once and both sides rebase what is in flight. */
import { z } from 'zod'
import { event, request } from './define.ts'
import { DocumentId, FileHash, WorkspaceId } from './id.ts'
import { AnyPath } from './path.ts'

/** Bytes up to which a document has everything, and up to which it can still be edited (without semantics). */
export const FULL_DOCUMENT_BYTES = 5 * 1024 * 1024
export const EDITABLE_DOCUMENT_BYTES = 64 * 1024 * 1024
/** Bytes of one read-only slice of anything larger. */
export const SLICE_BYTES = 256 * 1024

/** Replace [from, to) of the text by `text`. Offsets in UTF-16 units; several changes are sorted, apart, and meant at once. */
export const TextChange = z.object({
  from: z.number().int().nonnegative(),
  to: z.number().int().nonnegative(),
  text: z.string(),
})
export type TextChange = z.infer<typeof TextChange>

/** Those that a file says itself, by a mark or by being valid; nothing else is taken without being asked. */
export const unicodeEncodings = ['utf8', 'utf8bom', 'utf16le', 'utf16be'] as const
/** Those that a person chooses. */
export const otherEncodings = [
  'latin1',
  'windows1252',
  'windows1250',
  'windows1251',
  'windows1253',
  'windows1254',
  'windows1255',
  'windows1256',
  'windows1257',
  'windows1258',
  'iso88592',
  'iso885915',
  'koi8r',
  'koi8u',
  'gb18030',
  'big5',
  'shiftjis',
  'eucjp',
  'euckr',
] as const
export const encodings = [...unicodeEncodings, ...otherEncodings] as const
export const Encoding = z.enum(encodings)
export type Encoding = z.infer<typeof Encoding>
/** As they are called everywhere. */
export const encodingNames: Record<Encoding, string> = {
  utf8: 'UTF-8',
  utf8bom: 'UTF-8 with BOM',
  utf16le: 'UTF-16 LE',
  utf16be: 'UTF-16 BE',
  latin1: 'ISO 8859-1 (Latin-1)',
  windows1252: 'Windows-1252',
  windows1250: 'Windows-1250',
  windows1251: 'Windows-1251',
  windows1253: 'Windows-1253',
  windows1254: 'Windows-1254',
  windows1255: 'Windows-1255',
  windows1256: 'Windows-1256',
  windows1257: 'Windows-1257',
  windows1258: 'Windows-1258',
  iso88592: 'ISO 8859-2',
  iso885915: 'ISO 8859-15',
  koi8r: 'KOI8-R',
  koi8u: 'KOI8-U',
  gb18030: 'GB 18030 (GBK)',
  big5: 'Big5',
  shiftjis: 'Shift JIS',
  eucjp: 'EUC-JP',
  euckr: 'EUC-KR',
}
export const LineEnd = z.enum(['lf', 'crlf', 'mixed', 'cr'])
export type LineEnd = z.infer<typeof LineEnd>

/** What is true of a document besides its text. */
export const DocumentState = z.object({
  documentId: DocumentId,
  path: AnyPath,
  version: z.number().int(),
  dirty: z.boolean(),
  /** The disk holds something else than what these edits started from; `missing`: the file went away. */
  conflict: z.enum(['none', 'changed', 'missing']),
  savedHash: FileHash.nullable(),
  encoding: Encoding,
  /** Only where the bytes are no Unicode and nothing was chosen: what they may be, the likeliest first. `text` then shows bytes. */
  guesses: z.array(Encoding).nullable(),
  /** As found on disk; the text on the wire keeps its line ends byte for byte. */
  lineEnd: LineEnd,
  size: z.enum(['full', 'plain', 'slices']),
  bytes: z.number(),
  readOnly: z.boolean(),
  /** Why it cannot be edited or shown whole, for a person; null when there is nothing to say. */
  note: z.string().nullable(),
  /** Unsaved text of an earlier run was restored into it. */
  recovered: z.boolean(),
  /** False while its unsaved text cannot be written to Belay's own folder: a crash would lose it. */
  backedUp: z.boolean(),
})
export type DocumentState = z.infer<typeof DocumentState>

/** `text` is whole, or for `slices` the first slice. */
export const OpenDocument = z.object({ state: DocumentState, text: z.string() })
export type OpenDocument = z.infer<typeof OpenDocument>

const which = z.object({ documentId: DocumentId })

export const document = {
  /** Refuses binary files (`binary`). Open documents are counted per client and close with its last one. */
  open: request(z.object({ workspaceId: WorkspaceId, path: AnyPath }), OpenDocument),
  close: request(which, z.object({})),
  /** Applied on top of whatever came after `baseVersion`; the answer's `version` is the one that holds the change. */
  change: request(
    z.object({
      documentId: DocumentId,
      baseVersion: z.number().int(),
      changes: z.array(TextChange).min(1).max(10_000),
    }),
    z.object({ version: z.number().int() }),
  ),
  /** `stale` when the disk changed since: the document is then in conflict and nothing was written. `force` writes mine. */
  save: request(z.object({ documentId: DocumentId, force: z.boolean().default(false) }), DocumentState),
  saveAll: request(
    z.object({ workspaceId: WorkspaceId }),
    z.object({ failed: z.array(z.object({ path: AnyPath, message: z.string() })) }),
  ),
  /** Back to what is on disk ("theirs"); the text before is the answer, so that the caller can offer it again. */
  revert: request(which, z.object({ state: DocumentState, previous: z.string() })),
  /** What the disk holds now, decoded like the document: the other side of a conflict's diff. */
  disk: request(which, z.object({ text: z.string().nullable() })),
  setEncoding: request(z.object({ documentId: DocumentId, encoding: Encoding, reopen: z.boolean() }), DocumentState),
  setLineEnd: request(z.object({ documentId: DocumentId, lineEnd: z.enum(['lf', 'crlf']) }), DocumentState),
  /**
   * A read-only window of a very large file. `offset` in bytes, moved back to a line start where one is near; or the window
   * that begins with a line (1-based), the last one where there are fewer. `line`: of its first line; null where they are
   * not counted (UTF-16).
   */
  slice: request(
    z.object({
      documentId: DocumentId,
      at: z.union([
        z.object({ offset: z.number().int().nonnegative() }),
        z.object({ line: z.number().int().positive() }),
      ]),
    }),
    z.object({
      text: z.string(),
      offset: z.number(),
      nextOffset: z.number().nullable(),
      line: z.number().nullable(),
      /** Of the whole file, now. */
      bytes: z.number(),
    }),
  ),
  /**
   * This client has an editor of its own, into which Belay does not see. From now on, until it goes, it is sent `wanted`
   * before the agent reads or writes a file of this workspace, and has a moment to save what is unsaved there; `settled` says
   * that it has, or that there was nothing.
   */
  ownEditor: request(z.object({ workspaceId: WorkspaceId }), z.object({})),
  settled: request(z.object({ workspaceId: WorkspaceId, wantedId: z.string() }), z.object({})),
  /** All unsaved ones of a workspace, also those no window shows. */
  dirty: request(z.object({ workspaceId: WorkspaceId }), z.object({ documents: z.array(DocumentState) })),

  /** `version` is the one after `changes`. The author gets it too, and takes it as the acknowledgement. */
  edited: event(
    z.object({
      documentId: DocumentId,
      version: z.number().int(),
      changes: z.array(TextChange),
      by: z.enum(['person', 'agent', 'disk']),
      clientId: z.string().nullable(),
    }),
  ),
  stateChanged: event(DocumentState),
  /** `absolute`: a real path. */
  wanted: event(z.object({ workspaceId: WorkspaceId, wantedId: z.string(), absolute: z.string() })),
} as const
