/** Behind the path: what is around the caret, from the outermost to the innermost. Each opens a list of what stands beside it. */
import { Fragment, useEffect, useState } from 'react'
import type { DocumentSymbol } from '#contract/language-editor'
import type { AnyPath } from '#contract/path'
import { useT } from '../../../ui/i18n.ts'
import { Menu, type MenuEntry } from '../../../ui/index.ts'
import { useCommand } from '../../commands.ts'
import { crumbsAsk } from '../symbol-ask.ts'
import { SymbolIcon, symbolIcon } from './symbol-icon.tsx'
import { symbolsAround, useSymbols } from './symbols-view.ts'

/** More than a person looks through in a menu; all of them are in the outline. */
const MOST = 300

interface SymbolCrumbsProps {
  readonly path: AnyPath
  /** Of the group that has the focus: it answers to the command. */
  readonly focused: boolean
}

export function SymbolCrumbs({ path, focused }: SymbolCrumbsProps) {
  const shown = useSymbols(path)
  const [open, setOpen] = useState<number | null>(null)
  const chain = shown ? symbolsAround(shown.symbols, shown.caret) : []
  const last = chain.length
  useEffect(() => {
    if (focused) return crumbsAsk.subscribe(() => setOpen(Math.max(0, last - 1)))
  }, [focused, last])
  if (!shown || shown.symbols.length === 0) return null
  // Outside of everything there is still a way in.
  const places = chain.length > 0 ? chain : [null]
  return places.map((symbol, depth) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: how deep it stands is what it is
    <Fragment key={depth}>
      <span aria-hidden="true">›</span>
      <Crumb
        path={path}
        symbol={symbol}
        beside={chain[depth - 1]?.children ?? shown.symbols}
        open={open === depth}
        onOpenChange={next => setOpen(next ? depth : null)}
      />
    </Fragment>
  ))
}

interface CrumbProps {
  readonly path: AnyPath
  readonly symbol: DocumentSymbol | null
  readonly beside: readonly DocumentSymbol[]
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
}

function Crumb({ path, symbol, beside, open, onOpenChange }: CrumbProps) {
  const t = useT()
  const run = useCommand()
  const [chosen, setChosen] = useState<DocumentSymbol | null>(null)
  const entries = (): readonly MenuEntry[] =>
    beside.slice(0, MOST).map((each, index) => ({
      id: `${index}`,
      label: each.name,
      icon: symbolIcon(each.kind),
      checked: each === symbol,
      onSelect: () => setChosen(each),
    }))
  return (
    <Menu
      entries={entries}
      open={open}
      onOpenChange={onOpenChange}
      onCloseAutoFocus={event => {
        if (!chosen) return
        // The text takes the focus, and with it the place.
        event.preventDefault()
        setChosen(null)
        const { line, character } = chosen.selection.start
        void run('editor.open', { path, line: line + 1, column: character + 1 })
      }}
    >
      <button
        type="button"
        className="editor-crumb editor-crumb-symbol"
        aria-label={symbol ? t('editor.crumbSymbols', { name: symbol.name }) : t('editor.outline')}
      >
        {symbol ? (
          <>
            <SymbolIcon kind={symbol.kind} />
            {symbol.name}
          </>
        ) : (
          '…'
        )}
      </button>
    </Menu>
  )
}
