/**
 * A message link as the reader and writer that vscode-jsonrpc wants, for browser and Node alike. The link's JSON belongs to
 * the connection; its bytes stay the caller's.
 */
import type { Disposable, Event, Message, MessageReader, MessageWriter } from 'vscode-jsonrpc'
import type { MessageLink } from './frame.ts'

const nothing: Disposable = { dispose: () => {} }
/** Faults end the link, so that only its end is ever told. */
const never: Event<never> = () => nothing

/** Takes over `onJson` and `onClose` of the link. Disposing of either stream closes it. */
export function linkStreams(link: MessageLink): { reader: MessageReader; writer: MessageWriter } {
  const closing = new Set<() => void>()
  const onClose: Event<void> = listener => {
    closing.add(listener)
    return { dispose: () => void closing.delete(listener) }
  }
  link.onClose = () => {
    for (const listener of [...closing]) listener()
  }
  const dispose = () => link.close('the connection was disposed of')
  return {
    reader: {
      onError: never,
      onClose,
      onPartialMessage: never,
      listen: callback => {
        link.onJson = message => callback(message as Message)
        return nothing
      },
      dispose,
    },
    writer: {
      onError: never,
      onClose: never,
      write: async message => link.sendJson(message),
      end: dispose,
      dispose,
    },
  }
}
