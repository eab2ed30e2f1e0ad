/** The sentence why something asks, what it names between backticks set as code. Names are others' text: made visible. */
import { localize } from './i18n.ts'
import { visible } from './visible.ts'
import './text.css'

export function Reason({ text }: { readonly text: string }) {
  return localize(text)
    .split('`')
    .map((part, at) =>
      at % 2 === 0 ? (
        visible(part)
      ) : (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one sentence never move
        <code key={at} className="ui-code-word">
          {visible(part)}
        </code>
      ),
    )
}
