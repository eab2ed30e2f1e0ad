/** Markdown as it reads, following its text while it is edited. Links to files open them; others go to the browser. */
import { useEffect, useState } from 'react'
import { type AnyPath, joinPath, parentPath } from '#contract/path'
import { host } from '../../client/index.ts'
import { localize, useT } from '../../ui/i18n.ts'
import { Markdown, Spinner } from '../../ui/index.ts'
import { type RunCommand, useCommand } from '../commands.ts'
import { ensureText, fileName, type OpenEntry, useText } from './texts.ts'

const FOLLOW_MS = 120

export function MarkdownBody({ path }: { readonly path: AnyPath }) {
  const t = useT()
  const run = useCommand()
  const entry = useText(path)
  const known = entry !== undefined
  useEffect(() => {
    if (!known) ensureText(path)
  }, [path, known])
  if (entry?.status === 'failed')
    return (
      <div role="alert" className="editor-wait">
        {localize(entry.fault.message)}
      </div>
    )
  if (entry?.status !== 'open')
    return (
      <div className="editor-wait">
        <Spinner label={t('editor.opening', { name: fileName(path) })} />
      </div>
    )
  return <Living entry={entry} onLink={href => follow(href, path, run)} />
}

function Living({ entry, onLink }: { readonly entry: OpenEntry; readonly onLink: (href: string) => void }) {
  const [text, setText] = useState(entry.session.text)
  useEffect(() => {
    setText(entry.session.text)
    let timer: ReturnType<typeof setTimeout> | undefined
    const listening = entry.bound?.model.onDidChangeContent(() => {
      clearTimeout(timer)
      timer = setTimeout(() => setText(entry.session.text), FOLLOW_MS)
    })
    return () => {
      clearTimeout(timer)
      listening?.dispose()
    }
  }, [entry])
  return (
    <section className="editor-markdown" tabIndex={0} data-autofocus>
      <Markdown text={text} onLink={onLink} className="editor-markdown-page" />
    </section>
  )
}

function follow(href: string, from: AnyPath, run: RunCommand): void {
  if (/^[a-z][a-z0-9+.-]*:/i.test(href)) return void host.host.openExternal({ url: href }).catch(() => {})
  const [target = ''] = href.split(/[?#]/)
  if (target === '' || 'uri' in from) return
  const parts: string[] = target.startsWith('/') ? [] : parentPath(from.path).split('/').filter(Boolean)
  for (const part of decode(target).split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  void run('editor.open', { path: { rootId: from.rootId, path: parts.reduce(joinPath, '') } })
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
