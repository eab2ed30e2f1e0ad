/** Where a thing is declared, defined, typed, implemented and used. */
import type { editor, IPosition, languages } from 'monaco-editor/editor'
import type { LanguagePlace } from '#contract/language-editor'
import { belay } from '../../../client/index.ts'
import type { Monaco } from '../../../ui/monaco/index.ts'
import { modelUri } from '../model-uri.ts'
import { ask } from './ask.ts'
import { toRange, toWirePosition } from './position.ts'

type Way = 'declaration' | 'definition' | 'implementation' | 'typeDefinition'

export interface PlaceProviders {
  readonly declaration: languages.DeclarationProvider
  readonly definition: languages.DefinitionProvider
  readonly implementation: languages.ImplementationProvider
  readonly typeDefinition: languages.TypeDefinitionProvider
  readonly references: languages.ReferenceProvider
}

export function placeProviders(monaco: Monaco): PlaceProviders {
  const links =
    (way: Way): languages.DefinitionProvider['provideDefinition'] =>
    async (model, position, token) => {
      const found = await ask({ model, feature: way, token }, (about, options) =>
        belay.language[way]({ ...about, position: toWirePosition(position) }, options),
      )
      return found?.places.map(place => toLink(monaco, place)) ?? null
    }
  return {
    declaration: { provideDeclaration: links('declaration') },
    definition: { provideDefinition: links('definition') },
    implementation: { provideImplementation: links('implementation') },
    typeDefinition: { provideTypeDefinition: links('typeDefinition') },
    references: {
      async provideReferences(model, position, { includeDeclaration }, token) {
        const found = await ask({ model, feature: 'references', token }, (about, options) =>
          belay.language.references({ ...about, position: toWirePosition(position), includeDeclaration }, options),
        )
        return found?.places.map(({ path, range }) => ({ uri: modelUri(monaco.Uri, path), range: toRange(range) }))
      },
    },
  }
}

const toLink = (monaco: Monaco, { path, range, whole, origin }: LanguagePlace): languages.LocationLink => ({
  uri: modelUri(monaco.Uri, path),
  range: toRange(whole ?? range),
  targetSelectionRange: toRange(range),
  ...(origin ? { originSelectionRange: toRange(origin) } : {}),
})

export const highlightProvider = ({
  languages: { DocumentHighlightKind },
}: Monaco): languages.DocumentHighlightProvider => ({
  async provideDocumentHighlights(model: editor.ITextModel, position: IPosition, token) {
    const found = await ask({ model, feature: 'highlights', token }, (about, options) =>
      belay.language.highlights({ ...about, position: toWirePosition(position) }, options),
    )
    const kinds = {
      text: DocumentHighlightKind.Text,
      read: DocumentHighlightKind.Read,
      write: DocumentHighlightKind.Write,
    }
    return found?.highlights.map(({ range, kind }) => ({ range: toRange(range), kind: kinds[kind] }))
  },
})
