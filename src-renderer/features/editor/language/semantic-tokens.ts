/** Colours by what a name means. The legend is the wire's; each type is coloured by the rule `semantic.<type>` of the theme. */
import type { IEvent, languages } from 'monaco-editor/editor'
import { semanticTokenModifiers, semanticTokenTypes } from '#contract/language-editor'
import { belay } from '../../../client/index.ts'
import { ask } from './ask.ts'

const legend: languages.SemanticTokensLegend = {
  tokenTypes: semanticTokenTypes.map(type => `semantic.${type}`),
  tokenModifiers: [...semanticTokenModifiers],
}

export const semanticTokensProvider = (onDidChange: IEvent<void>): languages.DocumentSemanticTokensProvider => ({
  onDidChange,
  getLegend: () => legend,
  async provideDocumentSemanticTokens(model, _last, token) {
    const found = await ask({ model, feature: 'semanticTokens', token }, (about, options) =>
      belay.language.semanticTokens(about, options),
    )
    return found && { data: Uint32Array.from(found.data) }
  },
  releaseDocumentSemanticTokens() {},
})
