/** JSON-RPC over any message link. Promise: when the link ends, every call that waits is rejected. */
import { createMessageConnection, type MessageConnection } from 'vscode-jsonrpc/node'
import type { MessageLink } from '#contract/frame'
import { linkStreams } from '#contract/link-streams'

/** Already listening: register handlers before the next tick. Disposing of the connection closes the link. */
export function connectOver(link: MessageLink): MessageConnection {
  const { reader, writer } = linkStreams(link)
  const connection = createMessageConnection(reader, writer)
  // A tick later, so that whoever listens for the close hears it before the connection forgets its listeners.
  connection.onClose(() => setImmediate(() => connection.dispose()))
  connection.listen()
  return connection
}
