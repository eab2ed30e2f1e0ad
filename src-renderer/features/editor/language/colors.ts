/** Colours that stand in a text, and other ways to write them. */
import type { languages } from 'monaco-editor/editor'
import { belay } from '../../../client/index.ts'
import { ask } from './ask.ts'
import { toEdits } from './edits.ts'
import { toRange, toWireRange } from './position.ts'

export const colorProvider: languages.DocumentColorProvider = {
  async provideDocumentColors(model, token) {
    const found = await ask({ model, feature: 'colors', token }, (about, options) =>
      belay.language.colors(about, options),
    )
    return found?.colors.map(({ range, color }) => ({ range: toRange(range), color }))
  },
  async provideColorPresentations(model, { range, color }, token) {
    const found = await ask({ model, feature: 'colors', token }, (about, options) =>
      belay.language.colorWritings({ ...about, range: toWireRange(range), color }, options),
    )
    return found?.writings.map(({ label, edit }) => {
      const [textEdit] = toEdits([edit])
      return { label, ...(textEdit ? { textEdit } : {}) }
    })
  },
}
