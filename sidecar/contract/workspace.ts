/** Folders, their trees and their files. Paths are `{rootId, path}`; absolute ones appear only to be shown or opened. */
import { z } from 'zod'
import { event, request } from './define.ts'
import { RootId, WorkspaceId } from './id.ts'
import { AnyPath, Moves, WirePath } from './path.ts'

export const Root = z.object({
  rootId: RootId,
  /** Real, absolute, in this machine's form: for showing and for opening again. */
  absolute: z.string(),
  /** Its folder's, told apart from the others'; `@docs` for one that was mounted under that name. */
  name: z.string(),
  /** Nothing writes in it: no editor, file operation, agent, command or git. */
  readOnly: z.boolean(),
  /** Words for a person while the folder is not there; it comes back by itself. */
  missing: z.string().nullable().optional(),
})
export type Root = z.infer<typeof Root>

/** A folder that is no tree but brings something: its agents, or its skills. */
export const Mount = z.object({
  rootId: RootId,
  kind: z.enum(['agents', 'skills']),
  alias: z.string(),
  absolute: z.string(),
  readOnly: z.boolean(),
  missing: z.string().nullable(),
})
export type Mount = z.infer<typeof Mount>

/** What a folder is added as: a tree of files, or what it brings. */
export const RootKind = z.enum(['files', 'agents', 'skills'])
export type RootKind = z.infer<typeof RootKind>

export const WorkspaceInfo = z.object({
  workspaceId: WorkspaceId,
  name: z.string(),
  /** The path its sessions know it by: where it was first opened, also after it was found elsewhere. */
  home: z.string(),
  /** The opened folder first, and it stays; the others in the order they were added. */
  roots: z.array(Root).min(1),
  mounts: z.array(Mount),
  /** Every folder of it is trusted. Untrusted: text only; no git, no process, no connection. */
  trusted: z.boolean(),
  /** How changes on disk are learnt of; `polling` and `none` carry words for a person in `watchNote`. */
  watching: z.enum(['native', 'polling', 'none']),
  watchNote: z.string().nullable(),
})
export type WorkspaceInfo = z.infer<typeof WorkspaceInfo>

/** What trusting a folder would enable, as found in it: names are the folder's, so hostile text. */
export const TrustFacts = z.object({
  /** Its state would be asked of git, with whatever the repository configures switched off. */
  git: z.boolean(),
  /** Files of advice at its roots, which agents would read. */
  advice: z.array(z.string()),
  /** Agents that it brings. */
  agents: z.array(z.string()),
  /** How many rules it brings: they count already, for they only tighten. */
  rules: z.number().int(),
  /** Names of settings that it brings and that a folder may set. */
  settings: z.array(z.string()),
  /** What it brings for other programs, and this version does not run. */
  notRun: z.array(z.string()),
})
export type TrustFacts = z.infer<typeof TrustFacts>

export const EntryKind = z.enum(['file', 'folder', 'link-file', 'link-folder', 'link-broken', 'other'])
export type EntryKind = z.infer<typeof EntryKind>

/**
 * One level of a folder, as columns in pages of 5,000, folders first, then by name as people sort (case folded, numbers by
 * value). `ignored` marks what git or the defaults leave out: listed dimmed, never searched.
 */
export const Listing = z.object({
  path: WirePath,
  names: z.array(z.string()),
  kinds: z.array(EntryKind),
  ignored: z.array(z.boolean()),
  nextPage: z.number().int().nullable(),
  total: z.number().int(),
})
export type Listing = z.infer<typeof Listing>

export const FileStat = z.object({
  kind: EntryKind,
  bytes: z.number(),
  modifiedAt: z.number(),
  mode: z.number(),
  /** Where a link leads, for showing; null for what is not a link. */
  linkTo: z.string().nullable(),
})
export type FileStat = z.infer<typeof FileStat>

/** A hint that something changed on disk; the disk stays the truth. `overflow`: re-list everything under `path`. */
export const PathChange = z.object({
  path: WirePath,
  change: z.enum(['created', 'changed', 'deleted', 'overflow']),
  folder: z.boolean(),
  /** As a listing would say it; with `created` and `changed` only. */
  kind: EntryKind.optional(),
  ignored: z.boolean().optional(),
})
export type PathChange = z.infer<typeof PathChange>

/** What the groups of a pattern caught, by number or name; groups that caught nothing are left out. */
export const SearchGroups = z.record(z.string(), z.string())
export type SearchGroups = z.infer<typeof SearchGroups>

/** A line with what was found in it; several lines where a match goes over their end. */
export const SearchMatch = z.object({
  path: WirePath,
  line: z.number().int().positive(),
  /** The line, cut around the first match at 1,000 characters. What lies further on comes as another match of the same line. */
  text: z.string(),
  /** [start, end) in UTF-16 units of `text`. */
  ranges: z.array(z.tuple([z.number(), z.number()])),
  /** UTF-16 units of the line that were cut off before `text`. */
  cutBefore: z.number().int().optional(),
  /** The number of its first place in this search; the others follow it. */
  first: z.number().int().nonnegative(),
  /** For each range, where the search was asked for what can be replaced. */
  groups: z.array(SearchGroups).optional(),
})
export type SearchMatch = z.infer<typeof SearchMatch>

const here = z.object({ workspaceId: WorkspaceId })
const nothing = z.object({})
/** A change of files that one `undo` takes back. */
const undoable = z.object({ undoId: z.string() })

const replacing = z.object({
  workspaceId: WorkspaceId,
  searchId: z.string().max(64),
  /** As replacement.ts reads it. */
  replacement: z.string().max(100_000),
  preserveCase: z.boolean().default(false),
})
export const ReplaceDone = z.object({
  /** Null: nothing was changed. */
  undoId: z.string().nullable(),
  places: z.number(),
  files: z.number(),
  skipped: z.array(z.object({ path: WirePath, message: z.string() })),
  /** It was told to stop before the last file. */
  stopped: z.boolean(),
})
export type ReplaceDone = z.infer<typeof ReplaceDone>

export const workspace = {
  /**
   * Opens a folder (absolute). Opening the same real folder again answers the same workspace. One of the recent folders that is
   * not there is opened too, with its root marked `missing`: its sessions can be read, and it is there again when it is back.
   */
  open: request(z.object({ folder: z.string().min(1) }), WorkspaceInfo),
  close: request(here, nothing),
  /** Those that are open in this sidecar now. */
  opened: request(nothing, z.object({ workspaces: z.array(WorkspaceInfo) })),
  recent: request(
    nothing,
    z.object({
      folders: z.array(
        z.object({
          folder: z.string(),
          workspaceId: WorkspaceId,
          /** As of `WorkspaceInfo`: its sessions begin with it. */
          home: z.string(),
          name: z.string(),
          openedAt: z.number(),
          exists: z.boolean(),
        }),
      ),
    }),
  ),
  forget: request(z.object({ folder: z.string() }), nothing),
  /**
   * The folder of a workspace, gone from `folder`, is at `to` now: what belongs to it goes along, but for trust. Refused as
   * `invalid` while it still is where it was, as `already_exists` where `to` is a workspace with sessions of its own.
   */
  found: request(z.object({ folder: z.string(), to: z.string() }), nothing),
  /** Taking trust back ends what works in the folder: turns and the commands that agents left running. */
  trust: request(z.object({ workspaceId: WorkspaceId, trusted: z.boolean() }), WorkspaceInfo),
  /** Of a folder that is not in it yet, where one is named. */
  trustFacts: request(z.object({ workspaceId: WorkspaceId, folder: z.string().optional() }), TrustFacts),
  /**
   * One more folder (absolute), remembered for this workspace in the person's profile; a folder's own settings cannot do this.
   * `alias`: mounted under `@alias`, which agents and skills need. Refused as `untrusted` where the workspace is trusted and the
   * folder is not, unless `trust`; as `already_exists` for a folder or alias that is in it.
   */
  addRoot: request(
    z.object({
      workspaceId: WorkspaceId,
      folder: z.string().min(1),
      kind: RootKind.default('files'),
      alias: z.string().max(64).nullable().default(null),
      readOnly: z.boolean().default(false),
      trust: z.boolean().default(false),
    }),
    WorkspaceInfo,
  ),
  /** The folder on disk stays as it is. Refused as `busy` while something in it is unsaved, as `invalid` for the first root. */
  removeRoot: request(z.object({ workspaceId: WorkspaceId, rootId: RootId }), WorkspaceInfo),
  setReadOnly: request(z.object({ workspaceId: WorkspaceId, rootId: RootId, readOnly: z.boolean() }), WorkspaceInfo),
  /** Folders below a typed path, for the open-folder field. `typed` may start with `~`. */
  browse: request(
    z.object({ typed: z.string().max(4096) }),
    z.object({
      folder: z.string(),
      parent: z.string().nullable(),
      /** Of `folder`: why it has no folders in it, where it is not read. */
      state: z.enum(['read', 'missing', 'file', 'refused']),
      folders: z.array(z.object({ name: z.string(), absolute: z.string() })),
    }),
  ),
  list: request(
    z.object({ workspaceId: WorkspaceId, path: WirePath, page: z.number().int().nonnegative().default(0) }),
    Listing,
  ),
  stat: request(z.object({ workspaceId: WorkspaceId, path: AnyPath }), FileStat),
  createFile: request(z.object({ workspaceId: WorkspaceId, path: WirePath }), undoable),
  createFolder: request(z.object({ workspaceId: WorkspaceId, path: WirePath }), undoable),
  /** Renames and moves; never overwrites (`already_exists`). */
  move: request(z.object({ workspaceId: WorkspaceId, moves: Moves }), undoable),
  copy: request(z.object({ workspaceId: WorkspaceId, copies: Moves }), undoable),
  /** A piece, in order, of a file from outside (a drop, a paste); `base64` null: a folder. It waits until `receive`. */
  receivePiece: request(
    z.object({
      receiveId: z.string().max(64),
      path: z.string().max(4096),
      base64: z.string().max(1_500_000).nullable(),
    }),
    nothing,
  ),
  /** What has come under this id comes to its place; never overwrites (`already_exists`). No places: it is not wanted any more. */
  receive: request(
    z.object({
      workspaceId: WorkspaceId,
      receiveId: z.string().max(64),
      places: z.array(z.object({ from: z.string().max(4096), to: WirePath })).max(1000),
    }),
    z.object({ undoId: z.string().nullable() }),
  ),
  /**
   * To the system's trash where there is one for that disk, else to one of Belay's own that is emptied after 30 days. `undo`
   * restores from both.
   */
  remove: request(
    z.object({ workspaceId: WorkspaceId, paths: z.array(WirePath).min(1).max(1000) }),
    undoable.extend({ trash: z.enum(['system', 'own']) }),
  ),
  /** Takes back the file operation, refusing (`stale`) where that would overwrite something newer. */
  undo: request(
    z.object({ workspaceId: WorkspaceId, undoId: z.string() }),
    z.object({ redoId: z.string().nullable() }),
  ),
  /** Files by fuzzy name, best first; `positions` index the characters of `path` that matched. */
  find: request(
    z.object({
      workspaceId: WorkspaceId,
      query: z.string().max(500),
      limit: z.number().int().positive().max(500).default(100),
    }),
    z.object({ files: z.array(z.object({ path: WirePath, positions: z.array(z.number()) })), total: z.number() }),
  ),
  /** Text in files, by ripgrep. Results come as `searched` events; the answer comes after the last. Cancel by signal. */
  search: request(
    z.object({
      workspaceId: WorkspaceId,
      searchId: z.string().max(64),
      query: z.string().min(1).max(10_000),
      regex: z.boolean().default(false),
      matchCase: z.boolean().default(false),
      wholeWord: z.boolean().default(false),
      include: z.string().max(2000).default(''),
      exclude: z.string().max(2000).default(''),
      /** Only in these files. */
      only: z.array(WirePath).max(1000).optional(),
      /** Its places are kept for `replace` until this client's next search that asks so. */
      replacing: z.boolean().default(false),
      limit: z.number().int().positive().max(20_000).default(5000),
    }),
    z.object({ matches: z.number(), files: z.number(), truncated: z.boolean() }),
  ),
  /**
   * Replaces what a search found, exactly where and as it was found: a file in which that is not so any more is left alone and
   * told. Unsaved text is changed and stays unsaved; everything else is written, in its encoding and with its line ends.
   * A signal stops it between two files: the answer says what was done until then.
   */
  replace: request(
    replacing.extend({
      /** Numbers of places; null: all. */
      places: z.array(z.number().int().nonnegative()).min(1).max(20_000).nullable(),
    }),
    ReplaceDone,
  ),
  /** One file as it would be, for looking at. Throws `stale` where it changed since the search. */
  previewReplace: request(replacing.extend({ path: WirePath }), z.object({ before: z.string(), after: z.string() })),
  /**
   * A person's edit of several files as they were seen: one in which `was` does not stand at its place any more is left alone and
   * told. Unsaved text is changed and stays unsaved, everything else is written; `undoReplace` takes it back.
   */
  edit: request(
    z.object({
      workspaceId: WorkspaceId,
      files: z
        .array(
          z.object({
            path: WirePath,
            /** UTF-16 units of the text before all of them; apart, in order. */
            places: z
              .array(z.object({ from: z.number().int().nonnegative(), was: z.string(), text: z.string() }))
              .min(1)
              .max(20_000),
          }),
        )
        .max(5000),
    }),
    ReplaceDone,
  ),
  /** Takes a replacement back in every file that is as it left it; the others are told. `undoId` of the answer does it again. */
  undoReplace: request(z.object({ workspaceId: WorkspaceId, undoId: z.string() }), ReplaceDone),
  /** The next place in one file, from a place in bytes on, or back from it; null where there is none. For what is too large to hold. */
  findIn: request(
    z.object({
      workspaceId: WorkspaceId,
      path: AnyPath,
      query: z.string().min(1).max(10_000),
      regex: z.boolean().default(false),
      matchCase: z.boolean().default(false),
      from: z.number().int().nonnegative(),
      back: z.boolean().default(false),
    }),
    z.object({
      found: z.object({ offset: z.number(), bytes: z.number(), text: z.string() }).nullable(),
    }),
  ),
  /** Bytes of an image or other file for a preview, at most 20 MB, as base64. */
  readBytes: request(
    z.object({ workspaceId: WorkspaceId, path: AnyPath }),
    z.object({ base64: z.string(), mediaType: z.string(), bytes: z.number() }),
  ),
  /** The client's own remembered layout, tabs and drafts for this workspace: opaque to the sidecar, at most 1 MB. */
  loadView: request(here, z.object({ view: z.string().nullable() })),
  saveView: request(z.object({ workspaceId: WorkspaceId, view: z.string().max(1_000_000) }), nothing),

  /** Where each root's count of changes stands: `changed` goes on from there. */
  changesAt: request(here, z.object({ roots: z.array(z.object({ rootId: RootId, seq: z.number().int() })) })),
  /** Of one root. `seq` counts its batches without a gap while the workspace is open; after a gap everything may be old. */
  changed: event(
    z.object({ workspaceId: WorkspaceId, rootId: RootId, seq: z.number().int(), changes: z.array(PathChange) }),
  ),
  updated: event(WorkspaceInfo),
  /** Something in a mounted folder of agents or skills changed. */
  mountChanged: event(z.object({ workspaceId: WorkspaceId, rootId: RootId, kind: RootKind })),
  searched: event(z.object({ searchId: z.string(), matches: z.array(SearchMatch) })),
  /** How far a replacement has come, in files; for its own client. */
  replacing: event(z.object({ searchId: z.string(), done: z.number(), files: z.number() })),
} as const
