/** Text of a command with its colours. */
import { memo, useMemo } from 'react'
import { cx } from '../../ui/index.ts'
import { ansiSpans } from './ansi.ts'

export const AnsiText = memo(function AnsiText({ text }: { readonly text: string }) {
  const spans = useMemo(() => ansiSpans(text), [text])
  return spans.map((span, index) => (
    <span
      // biome-ignore lint/suspicious/noArrayIndexKey: spans have no other name
      key={index}
      className={
        cx(
          span.colour !== null && `chat-ansi-${span.colour}`,
          span.bold && 'chat-ansi-bold',
          span.dim && 'chat-ansi-dim',
        ) || undefined
      }
    >
      {span.text}
    </span>
  ))
})
