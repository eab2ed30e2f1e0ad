/** ':' and a number: a place in the file in front. */
import { Command } from 'cmdk'
import { useCommand } from '../../features/commands.ts'
import { useT } from '../../ui/i18n.ts'

interface LineResultProps {
  readonly text: string
  readonly onLeave: (then: () => void) => void
}

export function LineResult({ text, onLeave }: LineResultProps) {
  const t = useT()
  const run = useCommand()
  const [, line, column] = /^\s*(\d+)(?:[:,]\s*(\d+))?\s*$/.exec(text) ?? []
  if (!line) return <div className="palette-none">{t('app.typeLine')}</div>
  const go = () =>
    onLeave(() => void run('editor.goToLine', { line: Number(line), ...(column ? { column: Number(column) } : {}) }))
  return (
    <Command.Item value="line" onSelect={go} className="palette-item">
      {column ? t('app.goToColumn', { line, column }) : t('app.goToLine', { line })}
    </Command.Item>
  )
}
