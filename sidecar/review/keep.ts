/** Contents kept by hash: beside a session's log, or in memory where there is none. */
import type { BlobId } from '#contract/id'
import type { Held } from './held.ts'

export interface Keeper {
  blob(bytes: Uint8Array): Promise<BlobId>
  /** Null when it is gone. */
  readBlob(id: BlobId): Promise<Uint8Array | null>
}

/** Null where nothing stands or it is too large. */
export async function keep(keeper: Pick<Keeper, 'blob'>, { hash, kind, text, bytes }: Held): Promise<BlobId | null> {
  if (hash === null || kind === 'large') return null
  // As it lay there where that can be had: its encoding is in no text.
  const content = (await bytes?.()) ?? (text === null ? null : Buffer.from(text))
  return content ? keeper.blob(content) : null
}
