/** Branded, prefixed names of things. A prefix makes a wrong id visible in a log and refuses it at the wire. */
import { z } from 'zod'

const id = <B extends string>(prefix: string, _brand: B) =>
  z
    .string()
    .regex(new RegExp(`^${prefix}_[0-9A-Za-z_-]{1,64}$`))
    .brand<B>()

export const SessionId = id('ses', 'SessionId')
export type SessionId = z.infer<typeof SessionId>
export const TurnId = id('trn', 'TurnId')
export type TurnId = z.infer<typeof TurnId>
export const ItemId = id('itm', 'ItemId')
export type ItemId = z.infer<typeof ItemId>
/** Made by Belay for every tool call, whatever the provider sent: unique within a session. */
export const CallId = id('call', 'CallId')
export type CallId = z.infer<typeof CallId>
export const AskId = id('ask', 'AskId')
export type AskId = z.infer<typeof AskId>
export const WorkspaceId = id('wsp', 'WorkspaceId')
export type WorkspaceId = z.infer<typeof WorkspaceId>
export const RootId = id('root', 'RootId')
export type RootId = z.infer<typeof RootId>
export const DocumentId = id('doc', 'DocumentId')
export type DocumentId = z.infer<typeof DocumentId>
export const TerminalId = id('ter', 'TerminalId')
export type TerminalId = z.infer<typeof TerminalId>
export const BackgroundId = id('bg', 'BackgroundId')
export type BackgroundId = z.infer<typeof BackgroundId>
export const ReviewId = id('rev', 'ReviewId')
export type ReviewId = z.infer<typeof ReviewId>
/** One bringing back of files. */
export const RestoreId = id('rst', 'RestoreId')
export type RestoreId = z.infer<typeof RestoreId>
/** `blb_` and the SHA-256 of the content in hex. */
export const BlobId = z
  .string()
  .regex(/^blb_[0-9a-f]{64}$/)
  .brand<'BlobId'>()
export type BlobId = z.infer<typeof BlobId>
/** Made by the client; the same id twice is one prompt. */
export const RequestId = z.uuid()
export type RequestId = z.infer<typeof RequestId>
/** SHA-256 of a file's raw bytes in hex; null where there is no file. */
export const FileHash = z.string().regex(/^[0-9a-f]{64}$/)
export type FileHash = z.infer<typeof FileHash>
