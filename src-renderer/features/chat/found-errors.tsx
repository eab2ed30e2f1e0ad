/** What the language servers found wrong, file by file: each error leads to its place. Where one is silent it says so. */
import { type AnyPath, samePath } from '#contract/path'
import type { LspVerdict } from '#contract/session-event'
import type { ToolItem } from '#contract/session-state'
import { useT } from '../../ui/i18n.ts'
import { visible } from '../../ui/visible.ts'
import { useCommand } from '../commands.ts'

export function FoundErrors({ item }: { readonly item: ToolItem }) {
  const t = useT()
  const wrong = item.lsp.filter(({ errorCount }) => errorCount > 0)
  // The card names its own file already.
  const [only] = item.files
  const named = (path: AnyPath) => item.files.length !== 1 || !only || !samePath(only.path, path)
  const silent = item.lsp.some(({ state }) => state === 'pending')
  return (
    <>
      {silent && <div className="chat-note">{t('chat.lspPending')}</div>}
      {wrong.map(verdict => {
        const { path, items, errorCount } = verdict
        return (
          <section key={`${path.rootId} ${path.path}`} aria-label={t('chat.lspErrorsIn', { path: visible(path.path) })}>
            {named(path) && <div className="chat-diag-file chat-mono">{visible(path.path)}</div>}
            {items.map(each => (
              <FoundError key={`${each.line} ${each.column} ${each.source} ${each.message}`} path={path} found={each} />
            ))}
            {errorCount > items.length && (
              <div className="chat-note">{t('chat.lspMore', { count: errorCount - items.length })}</div>
            )}
          </section>
        )
      })}
    </>
  )
}

function FoundError({ path, found }: { readonly path: AnyPath; readonly found: LspVerdict['items'][number] }) {
  const run = useCommand()
  const { line, column, message, source } = found
  return (
    <button
      type="button"
      className="chat-diag"
      onClick={() => void run('editor.open', { path, line, column, focus: true })}
    >
      <span className="chat-mono">{`${line}:${column}`}</span>
      <span>
        {visible(message)} <span className="chat-dim">{visible(source)}</span>
      </span>
    </button>
  )
}
