/** Code as text first, coloured when its grammar is there; the same box before and after, so nothing moves. */
import { Check, Copy } from 'lucide-react'
import { memo, useEffect, useMemo, useState } from 'react'
import { IconButton } from './button.tsx'
import { cx } from './cx.ts'
import './code-block.css'
import { grammarOf, loadGrammar, MAX_HIGHLIGHT_CHARS, tokenize } from './highlight.ts'
import { useT } from './i18n.ts'
import { useCopy } from './use-copy.ts'

export interface CodeBlockProps {
  readonly code: string
  /** A fence's word or a file's ending. */
  readonly language?: string | null
  /** Still being written: stays plain until it is done. */
  readonly streaming?: boolean
  readonly wrap?: boolean
  /** Without the copy button and the frame. */
  readonly bare?: boolean
  readonly className?: string
}

export const CodeBlock = memo(function CodeBlock({
  code,
  language,
  streaming = false,
  wrap,
  bare,
  className,
}: CodeBlockProps) {
  return (
    <div className={cx('ui-code', wrap && 'ui-code-wrap', bare && 'ui-code-bare', className)}>
      <pre tabIndex={bare ? undefined : 0}>
        <code>
          <ColouredCode code={code} language={streaming ? null : language} />
        </code>
      </pre>
      {!bare && <CopyIcon text={code} />}
    </div>
  )
})

/** The tokens alone, for whoever brings lines and frame. */
export const ColouredCode = memo(function ColouredCode({ code, language }: Pick<CodeBlockProps, 'code' | 'language'>) {
  const lines = useTokens(code, language ?? null)
  if (!lines) return code
  return lines.map((line, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
    <span key={index}>
      {line.map((token, at) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: tokens have no other name
          key={at}
          style={token.color ? { color: token.color, fontStyle: token.italic ? 'italic' : undefined } : undefined}
        >
          {token.text}
        </span>
      ))}
      {index < lines.length - 1 ? '\n' : ''}
    </span>
  ))
})

/** Lines of tokens, null until (or unless) they can be had. */
export function useTokens(code: string, language: string | null) {
  const grammar = language && code.length <= MAX_HIGHLIGHT_CHARS ? grammarOf(language) : null
  const [ready, setReady] = useState<string | null>(null)
  useEffect(() => {
    let current = true
    if (grammar) void loadGrammar(grammar).then(() => current && setReady(grammar))
    return () => {
      current = false
    }
  }, [grammar])
  // biome-ignore lint/correctness/useExhaustiveDependencies: `ready` says that the answer may have changed
  return useMemo(() => (grammar ? tokenize(code, grammar) : null), [code, grammar, ready])
}

function CopyIcon({ text }: { readonly text: string }) {
  const t = useT()
  const [copied, copy] = useCopy(text)
  return (
    <IconButton
      className="ui-code-copy"
      label={copied ? t('ui.copied') : t('ui.copy')}
      icon={copied ? Check : Copy}
      size={13}
      onClick={copy}
    />
  )
}
