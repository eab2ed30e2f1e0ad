/** JSON-RPC in the window: the only file that knows the library's browser half. */
import { createMessageConnection, type MessageConnection } from 'vscode-jsonrpc/browser'
import type { MessageLink } from '#contract/frame'
import { linkStreams } from '#contract/link-streams'

/** Already listening: register handlers in the same tick. When the link ends, every call that waits is rejected. */
export function connectOver(link: MessageLink): MessageConnection {
  const { reader, writer } = linkStreams(link)
  const connection = createMessageConnection(reader, writer)
  connection.onClose(() => queueMicrotask(() => connection.dispose()))
  connection.listen()
  return connection
}
