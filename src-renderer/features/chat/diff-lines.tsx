/** The lines of a diff, hidden characters made visible; at most a screenful until more is asked for, unless it is asked whole. */
import { useState } from 'react'
import { useT } from '../../ui/i18n.ts'
import { Button, cx } from '../../ui/index.ts'
import { visible } from '../../ui/visible.ts'
import { type DiffLine, MAX_LINES } from './patch-lines.ts'

const sign = { add: '+', del: '−', same: '', gap: '', note: '' }

interface DiffLinesProps {
  readonly lines: readonly DiffLine[]
  readonly label: string
  readonly whole?: boolean
}

export function DiffLines({ lines, label, whole = false }: DiffLinesProps) {
  const t = useT()
  const [all, setAll] = useState(whole)
  const shown = all ? lines : lines.slice(0, MAX_LINES)
  return (
    <section className="chat-diff" tabIndex={0} aria-label={label}>
      {shown.map(({ kind, number, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of a finished diff have no other name
        <div key={index} className={cx('chat-ln', `chat-ln-${kind}`)}>
          <span className="chat-ln-number">{number ?? ''}</span>
          <span className="chat-ln-sign">{sign[kind]}</span>
          <span className="chat-ln-text">{kind === 'gap' ? '⋯' : visible(text)}</span>
        </div>
      ))}
      {shown.length < lines.length && (
        <Button variant="ghost" onClick={() => setAll(true)}>
          {t('chat.showLines', { count: lines.length - shown.length })}
        </Button>
      )}
    </section>
  )
}
