/** One file as both branches have it; what is no text is told in words. */
import { baseName } from '#contract/path'
import type { ComparedText } from '#contract/session-tree'
import { useEditorLook } from '../../../state/mirror/editor-look.ts'
import { localize, useT } from '../../../ui/i18n.ts'
import { EmptyState, Spinner } from '../../../ui/index.ts'
import { DiffEditor, languageOf, useMonaco } from '../../../ui/monaco/index.ts'
import type { CompareArgument } from './argument.ts'
import type { ComparedPath } from './compare-files.tsx'
import { useFileSides } from './use-comparison.ts'

export function CompareFile({ pair, file }: { readonly pair: CompareArgument; readonly file: ComparedPath }) {
  const t = useT()
  const monaco = useMonaco()
  const look = useEditorLook()
  const sides = useFileSides(pair, file)
  if (!sides || !monaco)
    return (
      <div className="compare-wait">
        <Spinner label={t('recover.comparing')} />
      </div>
    )
  if ('fault' in sides)
    return (
      <div className="compare-wait">
        <EmptyState title={t('recover.compareFailed')} body={localize(sides.fault.message)} />
      </div>
    )
  const missing = [sides.a, sides.b].find(side => side.kind !== 'text' && side.kind !== 'absent')
  if (missing)
    return (
      <div className="compare-wait">
        <EmptyState title={baseName(file.path)} body={t(`recover.noText.${missing.kind}`)} />
      </div>
    )
  return (
    <DiffEditor
      monaco={monaco}
      look={look}
      label={t('recover.compareLabel', { path: file.path })}
      language={languageOf(monaco, baseName(file.path))}
      before={textOf(sides.a)}
      after={textOf(sides.b)}
      editable={false}
      className="compare-editor"
    />
  )
}

const textOf = (side: ComparedText): string => (side.kind === 'text' ? side.text : '')
