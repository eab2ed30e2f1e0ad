/** Keeps `symbols-view.ts` true for each text that is before a person's eyes. */
import { pathKey } from '#contract/path'
import type { ShownText } from '../../feature.ts'
import { toWirePosition } from './position.ts'
import { servedNow, servedTexts } from './served.ts'
import { symbolsOf } from './symbols.ts'
import { symbolsView } from './symbols-view.ts'

const AFTER_TYPING_MS = 300

/** Until the returned function is called. */
export function followSymbols({ editor: shown, path }: Pick<ShownText, 'editor' | 'path'>): () => void {
  const key = pathKey(path)
  const model = shown.getModel()
  let timer: ReturnType<typeof setTimeout> | undefined
  let over = false

  const caretNow = () => toWirePosition(shown.getPosition() ?? { lineNumber: 1, column: 1 })
  const read = async (anew: boolean) => {
    const symbols = model && servedNow(path)?.features.symbols ? await symbolsOf(model, undefined, anew) : null
    if (over || !symbols) return
    symbolsView.setState(({ byPath }) => ({ byPath: { ...byPath, [key]: { path, symbols, caret: caretNow() } } }))
  }
  const soon = () => {
    clearTimeout(timer)
    timer = setTimeout(() => void read(false), AFTER_TYPING_MS)
  }
  const listening = [
    shown.onDidChangeModelContent(soon),
    shown.onDidChangeCursorPosition(() => {
      const now = symbolsView.getState().byPath[key]
      const caret = caretNow()
      if (now && (now.caret.line !== caret.line || now.caret.character !== caret.character))
        symbolsView.setState(({ byPath }) => ({ byPath: { ...byPath, [key]: { ...now, caret } } }))
    }),
  ]
  const unfollow = servedTexts.subscribe((now, before) => {
    if (now.byPath[key] !== before.byPath[key]) void read(true)
  })
  void read(false)
  return () => {
    over = true
    clearTimeout(timer)
    unfollow()
    for (const each of listening) each.dispose()
    symbolsView.setState(({ byPath: { [key]: _, ...byPath } }) => ({ byPath }))
  }
}
