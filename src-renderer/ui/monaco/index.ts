/** Monaco for features: two components and what belongs around them. Monaco's own code comes with `loadMonaco`. */
export { CodeEditor, type CodeEditorProps } from './code-editor.tsx'
export { DiffEditor, type DiffEditorProps } from './diff-editor.tsx'
export { HunkEditor, type HunkEditorHandle, type HunkEditorProps, type LineNote } from './hunk-editor.tsx'
export type { Hunk } from './hunks.ts'
export { languageName, languageOf } from './language-of.ts'
export { type LineAction, type LineActions, showLineActions } from './line-actions.ts'
export {
  type Change,
  fromModel,
  lineCount,
  type ModelEdit,
  type ModelEnd,
  staysUniform,
  toModel,
  uniformEnd,
} from './line-ends.ts'
export { loadMonaco, monacoNow, warmMonaco } from './load.ts'
export type { Monaco } from './monaco-api.ts'
export { type EditorLook, motionReduced } from './options.ts'
export { useMonaco } from './use-monaco.ts'
