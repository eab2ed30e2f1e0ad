/** Choosing a symbol by a few letters: of the file in front, or of the workspace, where each key asks the servers again. */
import { useEffect, useMemo, useState } from 'react'
import type { DocumentSymbol, WorkspaceSymbol } from '#contract/language-editor'
import type { AnyPath } from '#contract/path'
import { belay } from '../../../client/index.ts'
import { currentPath } from '../../../state/view/editor.ts'
import { useWorkspace } from '../../../state/view/workspace.ts'
import { useT } from '../../../ui/i18n.ts'
import { type Choice, QuickPick } from '../../../ui/quick-pick.tsx'
import { useCommand } from '../../commands.ts'
import { symbolAsk } from '../symbol-ask.ts'
import { fileName, textOf } from '../texts.ts'
import { symbolIcon } from './symbol-icon.tsx'
import { symbolsOf } from './symbols.ts'

const close = () => symbolAsk.setState({ where: null })

export default function SymbolPick({ where }: { readonly where: 'file' | 'workspace' }) {
  const [path] = useState(currentPath)
  return where === 'file' && path ? <FileSymbols path={path} /> : <WorkspaceSymbols />
}

function FileSymbols({ path }: { readonly path: AnyPath }) {
  const t = useT()
  const run = useCommand()
  const [symbols, setSymbols] = useState<readonly DocumentSymbol[] | null>(null)
  useEffect(() => {
    const model = textOf(path)?.bound?.model
    let gone = false
    const asked = model ? symbolsOf(model) : Promise.resolve(null)
    void asked.then(found => !gone && setSymbols(found ?? []))
    return () => {
      gone = true
    }
  }, [path])
  const choices = useMemo(
    () =>
      symbols &&
      flat(symbols, '').map(
        ({ symbol, within }, index): Choice => ({
          id: `${index}`,
          label: symbol.name,
          note: within,
          icon: symbolIcon(symbol.kind),
          mark: t('editor.symbolPlace', { line: symbol.selection.start.line + 1 }),
          onChoose: () => {
            const { line, character } = symbol.selection.start
            void run('editor.open', { path, line: line + 1, column: character + 1 })
          },
        }),
      ),
    [symbols, path, run, t],
  )
  const title = t('editor.symbolsOf', { name: fileName(path) })
  return <QuickPick title={title} placeholder={title} choices={choices} onClose={close} />
}

const flat = (
  symbols: readonly DocumentSymbol[],
  within: string,
): { readonly symbol: DocumentSymbol; readonly within: string }[] =>
  symbols.flatMap(symbol => [
    { symbol, within },
    ...flat(symbol.children, within ? `${within} › ${symbol.name}` : symbol.name),
  ])

function WorkspaceSymbols() {
  const t = useT()
  const run = useCommand()
  const workspace = useWorkspace()
  const [query, setQuery] = useState('')
  const [symbols, setSymbols] = useState<readonly WorkspaceSymbol[] | null>(null)
  const workspaceId = workspace?.workspaceId
  useEffect(() => {
    if (!workspaceId) return
    const controller = new AbortController()
    belay.language.workspaceSymbols({ workspaceId, query }, { signal: controller.signal }).then(
      found => !controller.signal.aborted && setSymbols(found.symbols),
      () => !controller.signal.aborted && setSymbols([]),
    )
    return () => controller.abort()
  }, [workspaceId, query])
  const choices = symbols?.map(
    ({ name, container, kind, path, range }, index): Choice => ({
      id: `${index}`,
      label: name,
      note: container,
      icon: symbolIcon(kind),
      mark: fileName(path),
      onChoose: () => void run('editor.open', { path, line: range.start.line + 1, column: range.start.character + 1 }),
    }),
  )
  const title = t('editor.symbolsOfWorkspace')
  return <QuickPick title={title} placeholder={title} choices={choices ?? null} onQuery={setQuery} onClose={close} />
}
