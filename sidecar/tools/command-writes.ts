/** What a command wrote, found by looking before it and after it, as the lines its card and its review are made of. */
import type { FileWrite } from '#contract/session-event'
import type { ToolContext } from '../agent/ports.ts'
import { createSerial } from '../base/serial.ts'

/** One path; the bytes are kept beside the session's log, like those of the file tools. */
export type WrittenFile = Omit<FileWrite, 'beforeBlob' | 'afterBlob'> & {
  readonly beforeBytes: Uint8Array | null
  readonly afterBytes: Uint8Array | null
}

/** Something that may write anywhere is under way. */
export interface WatchedWrites {
  /** `running`: it goes on, and what changes later can no longer be said to be its. Never rejects. */
  end(how?: { running: boolean }): Promise<{ files: readonly WrittenFile[]; more: number; unseen: boolean }>
}
/** Looks, and then lets it begin. Never rejects. */
export type WatchWrites = (context: ToolContext) => Promise<WatchedWrites>

export interface CommandWrites {
  readonly files: FileWrite[]
  /** Facts for the card: paths beyond those that are told, and that nobody could look. */
  readonly detail: { moreFiles?: number; unseenWrites?: true }
}

export async function endWatch(
  watched: WatchedWrites | undefined,
  context: ToolContext,
  how?: { running: boolean },
): Promise<CommandWrites> {
  if (!watched) return { files: [], detail: {} }
  const { files, more, unseen } = await watched.end(how)
  const detail = { ...(more > 0 ? { moreFiles: more } : {}), ...(unseen ? { unseenWrites: true as const } : {}) }
  return { files: await Promise.all(files.map(file => keptIn(context, file))), detail }
}

export async function keptIn(
  context: Pick<ToolContext, 'blob'>,
  { beforeBytes, afterBytes, ...facts }: WrittenFile,
): Promise<FileWrite> {
  // A full disk costs the contents, not the line.
  const keep = async (bytes: Uint8Array | null) => (bytes ? await context.blob(bytes).catch(() => null) : null)
  return { ...facts, beforeBlob: await keep(beforeBytes), afterBlob: await keep(afterBytes) }
}

/** Of a command that goes on after its call: what it wrote is told when it ends or its turn does, whichever is first. */
export function followWrites(watched: WatchedWrites, context: ToolContext): { ended(): Promise<void> } {
  const serial = createSerial()
  let told = false
  const tell = (running: boolean) =>
    serial(async () => {
      const { files } = await endWatch(watched, context, { running })
      if (told) return
      told = true
      if (files.length > 0) await context.wrote(files)
    })
  let over = false
  context.atTurnEnd(async () => {
    if (!over) await tell(true)
  })
  return {
    async ended() {
      over = true
      await tell(false)
    },
  }
}
