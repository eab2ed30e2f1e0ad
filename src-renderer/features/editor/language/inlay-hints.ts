/** What a server would write between the words: types, names of parameters. */
import type { IEvent, languages } from 'monaco-editor/editor'
import { belay } from '../../../client/index.ts'
import type { Monaco } from '../../../ui/monaco/index.ts'
import { ask } from './ask.ts'
import { toEdits } from './edits.ts'
import { toPosition, toWireRange } from './position.ts'
import { toMarkdown } from './words.ts'

export const inlayHintsProvider = (
  { languages: { InlayHintKind } }: Monaco,
  onDidChangeInlayHints: IEvent<void>,
): languages.InlayHintsProvider => ({
  onDidChangeInlayHints,
  async provideInlayHints(model, range, token) {
    const found = await ask({ model, feature: 'inlayHints', token }, (about, options) =>
      belay.language.inlayHints({ ...about, range: toWireRange(range) }, options),
    )
    const kinds = { type: InlayHintKind.Type, parameter: InlayHintKind.Parameter }
    const hints = (found?.hints ?? []).map(({ position, label, tooltip, kind, paddingLeft, paddingRight, edits }) => ({
      position: toPosition(position),
      label,
      paddingLeft,
      paddingRight,
      ...(kind ? { kind: kinds[kind] } : {}),
      ...(tooltip ? { tooltip: toMarkdown(tooltip) } : {}),
      ...(edits.length > 0 ? { textEdits: toEdits(edits) } : {}),
    }))
    return { hints, dispose() {} }
  },
})
