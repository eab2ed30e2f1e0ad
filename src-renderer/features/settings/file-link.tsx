/** Where something is written: opens the file at the line. */
import { FileText } from 'lucide-react'
import { useT } from '../../ui/i18n.ts'
import { shortPath, useOpenFile } from './open-file.ts'

interface FileLinkProps {
  readonly file: string
  readonly line?: number | null
}

export function FileLink({ file, line = null }: FileLinkProps) {
  const t = useT()
  const open = useOpenFile()
  const place = line === null ? '' : `:${line}`
  return (
    <button
      type="button"
      className="settings-file"
      title={`${file}${place}`}
      aria-label={t('settings.openFile', { file: `${file}${place}` })}
      onClick={() => open(file, line)}
    >
      <FileText size={12} aria-hidden="true" />
      <bdi dir="ltr">{`${shortPath(file)}${place}`}</bdi>
    </button>
  )
}
