/** What this room needs of an open workspace, in its own words. The workspace room meets it; `core.ts` ties them. */
import type { DocumentId, WorkspaceId } from '#contract/id'
import type { AnyPath, WirePath } from '#contract/path'
import type { PathChange, Root } from '#contract/workspace'
import type { Emitter } from '../base/emitter.ts'

/** A text that a person has before them. */
export interface ShownText {
  readonly documentId: DocumentId
  readonly absolute: string
  readonly path: AnyPath
  readonly version: number
  readonly text: string
  readonly state: { readonly size: 'full' | 'plain' | 'slices' }
}

export interface LanguageWorkspace {
  readonly info: { readonly workspaceId: WorkspaceId; readonly roots: readonly Root[]; readonly trusted: boolean }
  /** Trusted in full: servers that run code of the project may run. */
  readonly bringsCount: boolean
  readonly paths: {
    /** Real and absolute. Throws for what is not inside. */
    toAbsolute(path: AnyPath): Promise<string>
    toWire(absolute: string): WirePath | null
  }
  readonly documents: {
    /** The text a person has or would see, unsaved changes in it. Throws where there is none. */
    textOf(path: AnyPath): Promise<string>
    /** As it is at this moment; null where nobody has it open. */
    opened(documentId: DocumentId): ShownText | null
    openedAt(absolute: string): ShownText | null
    allOpened(): ShownText[]
    /** Open texts of these files, real and absolute, are compared with the disk. Never rejects. */
    diskChanged(absolutes: readonly string[]): Promise<void>
    /** An open text is another one now, or (null) is not open any more and what is on disk counts. */
    readonly texts: Emitter<{ readonly absolute: string; readonly path: AnyPath; readonly text: string | null }>
  }
  /** What changed on disk, in batches. */
  readonly changed: Emitter<PathChange[]>
}
