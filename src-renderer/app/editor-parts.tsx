/** What the features bring into the editor: pages, each behind its own fence and loaded when first shown, companions, and the keys in force. */
import type { EditorPage, EditorParts, Feature, PageProps } from '../features/feature.ts'
import { chordOf } from '../features/settings/bindings.ts'
import { bindingsNow } from '../features/settings/keymap.ts'
import { LateContent } from './pane-frame.tsx'

const fenced = (page: EditorPage): EditorPage => ({
  ...page,
  component: (props: PageProps) => (
    <LateContent name={props.title}>
      <page.component {...props} />
    </LateContent>
  ),
})

export const editorPartsOf = (features: readonly Feature[]): EditorParts => ({
  pages: features.flatMap(feature => feature.pages ?? []).map(fenced),
  companions: features.flatMap(feature => feature.companions ?? []),
  chordOf: id => chordOf(bindingsNow(), id),
})
